package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Set;

import io.neli.internal.election.MonotonicTime;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Detects by the outcome of reads and writes that a connection no longer works. Belongs to one thread. */
final class LogCheck {

    private static final int NON_RETRIABLE_FAILURES = 3;

    /** An eligible member tries to write more often than that when nobody leads. */
    private static final int LEASES_UNTIL_OVER = 3;

    private final LogWriter writer;
    private final KafkaSettings settings;
    private final MemberClock clock;
    private final Problems problems;
    private final LogFailure description;
    private final Duration leaseDuration;
    private final Runnable unknownTopic;
    private int failures;
    private MonotonicTime usedAt;
    private MonotonicTime failedAt;
    private boolean failed;

    /**
     * For a new connection.
     *
     * @param unknownTopic called when the brokers have answered that there is no such topic, which is not always true
     */
    LogCheck(LogWriter writer, KafkaSettings settings, MemberClock clock, Problems problems, Runnable unknownTopic) {
        this.writer = writer;
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

    /** Takes the outcomes of written records into account. */
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
                if (outcome.offset() >= 0 && outcome.offset() < outcome.readerPosition()) {
                    throw new LogReplacedException(settings.topic(), "its offsets have gone back");
                }
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

    /** Takes into account which partitions cannot be opened again; the others are still led. */
    void reopening(Set<Integer> lostForLong) {
        boolean all = lostForLong.size() == settings.partitions();
        reopening(Problems.Source.ALL_PARTITIONS, all, lostForLong);
        reopening(Problems.Source.PARTITION, !all && !lostForLong.isEmpty(), lostForLong);
    }

    private void reopening(Problems.Source source, boolean applies, Set<Integer> lostForLong) {
        if (!applies) {
            problems.clear(source);
            return;
        }
        problems.report(
                source,
                new Problem(
                        "neli.topic.name is '" + settings.topic() + "': records of its partitions " + lostForLong
                                + " were lost, and these cannot be read again, so nobody is seen to lead there",
                        "check that each has a leader (kafka-topics.sh --describe), and the brokers' log",
                        true));
    }
}
