package io.neli.internal.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.neli.internal.election.MonotonicTime;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Detects by the outcome of reads and writes that a connection no longer works. Belongs to one thread. */
final class LogCheck {

    private static final int NON_RETRIABLE_FAILURES = 3;

    /** An eligible member tries to write more often than that when nobody leads. */
    private static final int LEASES_UNTIL_OVER = 3;

    /** How long a reader may make no progress before a record of this member that is in the log. */
    private static final int LEASES_WITHOUT_PROGRESS = 2;

    private final LogWriter writer;
    private final LogPositions positions;
    private final KafkaSettings settings;
    private final MemberClock clock;
    private final Problems problems;
    private final LogFailure description;
    private final Duration leaseDuration;
    private final Runnable unknownTopic;
    private final Map<Integer, Unread> unread = new HashMap<>();
    private int failures;
    private MonotonicTime usedAt;
    private MonotonicTime failedAt;
    private boolean failed;

    /**
     * A record of this member that is in the log and was not read when that became known: the oldest of its partition.
     *
     * @param position how far its partition has been read
     * @param since when it became known that the record is in the log, and that the partition has been read so far
     */
    private record Unread(long offset, long position, MonotonicTime since) {

        Unread at(long newPosition, MonotonicTime now) {
            return newPosition == position ? this : new Unread(offset, newPosition, now);
        }
    }

    /**
     * For a new connection.
     *
     * @param positions how far the log has been read
     * @param unknownTopic called when the brokers have answered that there is no such topic, which is not always true
     */
    LogCheck(
            LogWriter writer,
            LogPositions positions,
            KafkaSettings settings,
            MemberClock clock,
            Problems problems,
            Runnable unknownTopic) {
        this.writer = writer;
        this.positions = positions;
        this.settings = settings;
        this.clock = clock;
        this.problems = problems;
        this.description = new LogFailure(settings);
        this.leaseDuration = settings.election().leaseDuration();
        this.unknownTopic = unknownTopic;
        this.usedAt = clock.time();
        this.failedAt = usedAt;
    }

    /** Takes a poll's result into account. */
    void reading(LogReader.Batch.Read read) {
        if (!read.records().isEmpty()) {
            works();
        } else if (hasPassed(failedAt, leaseDuration.multipliedBy(failed ? LEASES_UNTIL_OVER : 1))) {
            problems.clear(Problems.Source.LOG); // nothing fails now, as nothing has to be written
        }
    }

    /**
     * Takes the outcomes of written records into account.
     *
     * @throws LogReplacedException if the log is another one
     * @throws RuntimeException if the clients no longer work
     */
    void writing() {
        for (LogWriter.Outcome outcome = writer.nextOutcome(); outcome != null; outcome = writer.nextOutcome()) {
            Exception failure = outcome.failure();
            if (isUnknownTopic(failure)) {
                unknownTopic.run();
            }
            if (failure != null) {
                failed = true;
                failedAt = clock.time();
            }
            if (failure == null) {
                works();
                written(outcome);
            } else if (LogFailure.isRefused(failure)) {
                problems.report(Problems.Source.LOG, description.ofWriting(failure));
            } else if (failure instanceof RetriableException) {
                if (hasPassed(usedAt, leaseDuration)) {
                    problems.reportFirst(Problems.Source.LOG, description.ofWriting(failure));
                }
            } else if (++failures >= NON_RETRIABLE_FAILURES) {
                throw new IllegalStateException("records cannot be written: " + failure.getMessage(), failure);
            }
        }
        checkReader();
    }

    private void written(LogWriter.Outcome outcome) {
        if (outcome.offset() < 0) {
            return;
        }
        if (outcome.offset() < outcome.readerPosition()) {
            throw new LogReplacedException(settings.topic(), "its offsets have gone back");
        }
        unread.putIfAbsent(outcome.partition(), new Unread(outcome.offset(), outcome.readerPosition(), clock.time()));
    }

    private void checkReader() {
        unread.entrySet()
                .removeIf(
                        each -> positions.isPast(each.getKey(), each.getValue().offset()));
        unread.replaceAll((partition, record) -> record.at(positions.of(partition), clock.time()));
        unread.forEach((partition, record) -> {
            if (hasPassed(record.since(), leaseDuration.multipliedBy(LEASES_WITHOUT_PROGRESS))) {
                throw new TimeoutException("partition " + partition + " is not read, although its offset "
                        + record.offset() + " was written more than " + LEASES_WITHOUT_PROGRESS + " leases ago");
            }
        });
    }

    private boolean hasPassed(MonotonicTime since, Duration duration) {
        return since.until(clock.time()).compareTo(duration) > 0;
    }

    /** A connection alone proves nothing: whether this member may read and write shows only when it does. */
    private void works() {
        failures = 0;
        usedAt = clock.time();
        problems.clear(Problems.Source.LOG);
    }

    private static boolean isUnknownTopic(@Nullable Exception failure) {
        return failure instanceof UnknownTopicOrPartitionException
                || (failure != null && failure.getCause() instanceof UnknownTopicOrPartitionException);
    }

    /** Takes into account which partitions cannot be opened; the others are still led. */
    void opening(Set<Integer> closedForLong) {
        boolean all = closedForLong.size() == settings.partitions();
        opening(Problems.Source.ALL_PARTITIONS, all, closedForLong);
        opening(Problems.Source.PARTITION, !all && !closedForLong.isEmpty(), closedForLong);
    }

    private void opening(Problems.Source source, boolean applies, Set<Integer> closedForLong) {
        if (!applies) {
            problems.clear(source);
            return;
        }
        problems.report(
                source,
                new Problem(
                        "neli.topic.name is '" + settings.topic() + "': its partitions " + new TreeSet<>(closedForLong)
                                + " cannot be read, so nobody is seen to lead there",
                        "check that each has a leader (kafka-topics.sh --describe), and the brokers' log",
                        true));
    }
}
