package io.neli.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;

import io.micrometer.core.instrument.Clock;
import io.neli.Neli;
import io.neli.NeliSnapshot.Log;
import io.neli.NeliSnapshot.Partition;
import org.jspecify.annotations.Nullable;

/** One snapshot for all gauges that are read together. Thread-safe. */
final class SharedSnapshot {

    /** How long a snapshot is used: longer than it takes to read all meters, and too short to be noticed. */
    private static final long USED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Neli neli;
    private final Clock clock;
    private @Nullable List<Partition> latest;
    private long takenNanos;

    SharedSnapshot(Neli neli, Clock clock) {
        this.neli = neli;
        this.clock = clock;
    }

    /** Leadership has changed. */
    synchronized void expire() {
        latest = null;
    }

    /** 1 where this member leads the partition, 0 where it does not. */
    double leads(int number) {
        return partition(number).filter(Partition::leading).isPresent() ? 1 : 0;
    }

    double nanos(int number, Function<Partition, Duration> duration) {
        return partition(number).map(duration).orElse(Duration.ZERO).toNanos();
    }

    /** 1 where the log of that topic is so, 0 where it is not. */
    double isLog(int number, String topic, Predicate<Log> how) {
        return partition(number).stream()
                        .flatMap(partition -> partition.logs().stream())
                        .anyMatch(log -> log.topic().equals(topic) && how.test(log))
                ? 1
                : 0;
    }

    private synchronized Optional<Partition> partition(int number) {
        List<Partition> partitions = latest;
        long now = clock.monotonicTime();
        if (partitions == null || now - takenNanos > USED_NANOS) {
            partitions = neli.snapshot().partitions();
            latest = partitions;
            takenNanos = now;
        }
        return number < partitions.size() ? Optional.of(partitions.get(number)) : Optional.empty();
    }
}
