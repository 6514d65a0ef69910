package io.neli.kafka;

import java.util.Set;

import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Notices that a connection is of no use any longer, by what came of reading and writing. Belongs to one thread. */
final class LogCheck {

    private static final int NON_RETRIABLE_FAILURES = 3;

    /** A member that stands tries to write more often than that when nobody leads. */
    private static final int LEASES_UNTIL_OVER = 3;

    private final LogWriter writer;
    private final MemberSettings settings;
    private final Problems problems;
    private final LogFailure description;
    private final long leaseNanos;
    private final Runnable suspicion;
    private int failures;
    private long usedNanos = System.nanoTime();
    private long failedNanos = System.nanoTime();
    private boolean failed;

    /**
     * Of a new connection.
     *
     * @param suspicion called when the brokers have said that there is no such topic, which is not always so
     */
    LogCheck(LogWriter writer, MemberSettings settings, Problems problems, Runnable suspicion) {
        this.suspicion = suspicion;
        this.writer = writer;
        this.settings = settings;
        this.problems = problems;
        this.description = new LogFailure(settings);
        this.leaseNanos = settings.election().lease().toNanos();
    }

    /** Takes note of what a poll brought. */
    void reading(LogReader.Batch.Read read) {
        if (!read.records().isEmpty()) {
            works();
        } else if (System.nanoTime() - failedNanos > (failed ? LEASES_UNTIL_OVER : 1) * leaseNanos) {
            problems.clear(Problems.Source.LOG); // nothing fails any more, as nothing is to be written
        }
    }

    /** Takes note of what came of the records that were written. */
    void writing() {
        for (LogWriter.Outcome outcome = writer.nextOutcome(); outcome != null; outcome = writer.nextOutcome()) {
            Exception failure = outcome.failure();
            if (isUnknownTopic(failure)) {
                suspicion.run();
            }
            if (failure != null) {
                failed = true;
                failedNanos = System.nanoTime();
            }
            if (failure == null) {
                works();
                if (outcome.offset() >= 0 && outcome.offset() < outcome.readerPosition()) {
                    throw new LogReplacedException(settings.topic(), "its offsets have gone back");
                }
            } else if (LogFailure.isRefused(failure)) {
                problems.report(Problems.Source.LOG, description.ofWriting(failure));
            } else if (failure instanceof RetriableException) {
                if (System.nanoTime() - usedNanos > leaseNanos) {
                    problems.reportFirst(Problems.Source.LOG, description.ofWriting(failure));
                }
            } else if (++failures >= NON_RETRIABLE_FAILURES) {
                throw new IllegalStateException("records cannot be written: " + failure.getMessage(), failure);
            }
        }
    }

    /** A connection alone proves nothing: the right to read and write shows when it is used, or refused. */
    private void works() {
        failures = 0;
        usedNanos = System.nanoTime();
        problems.clear(Problems.Source.LOG);
    }

    private static boolean isUnknownTopic(@Nullable Exception failure) {
        return failure instanceof UnknownTopicOrPartitionException
                || (failure != null && failure.getCause() instanceof UnknownTopicOrPartitionException);
    }

    /** Takes note of the partitions that cannot be opened again; the others are led all the same. */
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
                        "neli.topic is '" + settings.topic() + "': records of its partitions " + lostForLong
                                + " were lost, and these cannot be read again, so nobody is seen to lead there",
                        "see that each has a leader (kafka-topics.sh --describe), and the brokers' log",
                        true));
    }
}
