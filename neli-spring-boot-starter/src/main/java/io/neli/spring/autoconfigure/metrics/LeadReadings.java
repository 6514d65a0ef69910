package io.neli.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Clock;
import io.neli.Neli;
import io.neli.NeliSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * How this member stands, by one snapshot for all meters that are read together, and for how long it has led in all. Locked
 * while a snapshot is taken, so that a term that ends meanwhile is counted once.
 */
final class LeadReadings {

    /** How long a snapshot serves: longer than one look at all the meters takes, and too short to be seen. */
    private static final long SERVES_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final double NANOS_PER_SECOND = 1e9;

    private final Neli neli;
    private final Clock clock;
    private final Map<Integer, TimeLed> led = new HashMap<>();
    private @Nullable List<NeliSnapshot.Partition> latest;
    private long takenNanos;

    private static final class TimeLed {
        private long endedNanos;
        private long shownNanos;
    }

    LeadReadings(Neli neli, Clock clock) {
        this.neli = neli;
        this.clock = clock;
    }

    private Optional<NeliSnapshot.Partition> partition(int number) {
        List<NeliSnapshot.Partition> partitions = latest;
        long now = clock.monotonicTime();
        if (partitions == null || now - takenNanos > SERVES_NANOS) {
            partitions = neli.snapshot().partitions();
            latest = partitions;
            takenNanos = now;
        }
        return number < partitions.size() ? Optional.of(partitions.get(number)) : Optional.empty();
    }

    /** 1 where it leads the partition, 0 where it does not. */
    synchronized double leads(int number) {
        return partition(number).filter(NeliSnapshot.Partition::leading).isPresent() ? 1 : 0;
    }

    synchronized double secondsOfLease(int number) {
        return partition(number)
                        .map(NeliSnapshot.Partition::leaseLeft)
                        .orElse(Duration.ZERO)
                        .toNanos()
                / NANOS_PER_SECOND;
    }

    /** A term has ended. */
    synchronized void led(int number, Duration time) {
        of(number).endedNanos += time.toNanos();
        latest = null;
    }

    /** In all terms. Never less than was told before, although a term may be over and its time not told yet. */
    synchronized double secondsLed(int number) {
        TimeLed time = of(number);
        Duration current =
                partition(number).map(NeliSnapshot.Partition::leadingFor).orElse(Duration.ZERO);
        time.shownNanos = Math.max(time.shownNanos, time.endedNanos + current.toNanos());
        return time.shownNanos / NANOS_PER_SECOND;
    }

    private TimeLed of(int number) {
        return led.computeIfAbsent(number, created -> new TimeLed());
    }
}
