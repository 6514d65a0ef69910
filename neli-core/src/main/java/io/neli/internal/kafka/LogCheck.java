package io.neli.internal.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.neli.internal.election.LogId;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.Problems;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Detects by the outcome of reads and writes that a connection, or a log, no longer works. Belongs to one thread. */
final class LogCheck {

    private static final int NON_RETRIABLE_FAILURES = 3;

    /** How long a reader may make no progress before a record that is in the log. */
    private static final int LEASES_WITHOUT_PROGRESS = 2;

    private final LogWriter writer;
    private final LogPositions positions;
    private final KafkaSettings settings;
    private final MemberClock clock;
    private final Problems problems;
    private final LogFailure description;
    private final Duration leaseDuration;
    private final Topics topics;
    private final LogHealth health;
    private final LogReport report;
    private final Map<LogId, Unread> unread = new HashMap<>();
    private final Map<LogId, Unread> unfinished = new HashMap<>();
    private final Map<LogId, Integer> failures = new HashMap<>();
    private MonotonicTime usedAt;
    private MonotonicTime failedAt;
    private boolean failed;

    /** The topics of the connection, by the number of their logs. */
    interface Topics {

        /** The brokers have answered that there is no such topic, which is not always true. */
        void suspect(int number);

        /** It cannot be used any more; throws the reason if the connection cannot be used without it. */
        void fail(int number, RuntimeException why);
    }

    /**
     * A record that is in the log and was not read when that became known: the oldest one of this member in its log, or the last one
     * when the log was opened.
     *
     * @param position how far its log has been read
     * @param since when it became known that the record is in the log, and that this has been read so far
     */
    private record Unread(long offset, long position, MonotonicTime since) {

        Unread at(long newPosition, MonotonicTime now) {
            return newPosition == position ? this : new Unread(offset, newPosition, now);
        }
    }

    /**
     * For a new connection.
     *
     * @param positions how far the logs have been read
     */
    LogCheck(
            LogWriter writer,
            LogPositions positions,
            KafkaSettings settings,
            MemberClock clock,
            Problems problems,
            Topics topics) {
        this.writer = writer;
        this.positions = positions;
        this.settings = settings;
        this.clock = clock;
        this.problems = problems;
        this.description = new LogFailure(settings);
        this.leaseDuration = settings.shell().election().leaseDuration();
        this.topics = topics;
        this.health = new LogHealth(settings, clock);
        this.report = new LogReport(settings, problems, health);
        this.usedAt = clock.time();
        this.failedAt = usedAt;
    }

    LogReport report() {
        return report;
    }

    /** These are read from now on. */
    void opened(Set<LogId> logs) {
        health.opened(logs);
    }

    /** Takes a poll's result into account. */
    void reading(LogReader.Batch.Read read) {
        read.records().keySet().forEach(log -> {
            health.read(log);
            works(log);
        });
        if (read.records().isEmpty()
                && hasPassed(failedAt, leaseDuration.multipliedBy(failed ? LogHealth.LEASES_UNTIL_OVER : 1))) {
            problems.clear(Problems.Source.LOG); // nothing fails now, as nothing has to be written
        }
    }

    /**
     * Takes the outcomes of written records into account.
     *
     * @return the logs that are not read to where they are known to end
     * @throws RuntimeException if the clients no longer work
     */
    Set<LogId> writing() {
        for (LogWriter.Outcome outcome = writer.nextOutcome(); outcome != null; outcome = writer.nextOutcome()) {
            Exception failure = outcome.failure();
            if (failure == null) {
                health.works(outcome.log());
                works(outcome.log());
                written(outcome);
            } else {
                failed(outcome.log(), failure);
            }
        }
        return checkReader();
    }

    private void failed(LogId log, Exception failure) {
        if (isUnknownTopic(failure)) {
            topics.suspect(log.log());
        }
        failed = true;
        failedAt = clock.time();
        Problem problem = description.ofWriting(log.log(), failure);
        boolean refused = LogFailure.isRefused(failure);
        boolean retriable = failure instanceof RetriableException;
        boolean lasting = refused || (!retriable && failures.merge(log, 1, Integer::sum) >= NON_RETRIABLE_FAILURES);
        health.fails(log, problem, lasting);
        if (refused && health.isLastingMajority(log.partition())) {
            problems.report(Problems.Source.LOG, problem);
        } else if (lasting && health.isLastingMajority(log.partition())) {
            throw new IllegalStateException("records cannot be written: " + failure.getMessage(), failure);
        } else if (retriable && hasPassed(usedAt, leaseDuration)) {
            problems.reportFirst(Problems.Source.LOG, problem);
        }
    }

    private void written(LogWriter.Outcome outcome) {
        if (outcome.offset() < 0) {
            return;
        }
        if (outcome.offset() < outcome.readerPosition()) {
            int number = outcome.log().log();
            topics.fail(number, new LogReplacedException(settings.namedTopic(number), "its offsets have gone back"));
            return;
        }
        unread.putIfAbsent(outcome.log(), new Unread(outcome.offset(), outcome.readerPosition(), clock.time()));
    }

    private Set<LogId> checkReader() {
        Set<LogId> stuck = withoutProgress(unread);
        stuck.stream()
                .collect(Collectors.groupingBy(LogId::partition, Collectors.counting()))
                .forEach((partition, logs) -> {
                    if (health.isMajority(logs)) {
                        throw new TimeoutException("partition " + partition + " is not read, although "
                                + "something was written to it more than " + LEASES_WITHOUT_PROGRESS + " leases ago");
                    }
                });
        positions
                .unfinished()
                .forEach((log, last) -> unfinished.putIfAbsent(log, new Unread(last, positions.of(log), clock.time())));
        // If nothing that this member wrote is missing, the reader works, and the log has lost the end that it had.
        Set<LogId> shortened = withoutProgress(unfinished);
        shortened.removeAll(unread.keySet());
        stuck.addAll(shortened);
        return stuck;
    }

    private Set<LogId> withoutProgress(Map<LogId, Unread> records) {
        records.entrySet()
                .removeIf(
                        each -> positions.isPast(each.getKey(), each.getValue().offset()));
        records.replaceAll((log, record) -> record.at(positions.of(log), clock.time()));
        Set<LogId> stuck = new HashSet<>();
        records.forEach((log, record) -> {
            if (hasPassed(record.since(), leaseDuration.multipliedBy(LEASES_WITHOUT_PROGRESS))) {
                stuck.add(log);
            }
        });
        return stuck;
    }

    private boolean hasPassed(MonotonicTime since, Duration duration) {
        return since.until(clock.time()).compareTo(duration) > 0;
    }

    /** A connection alone proves nothing: whether this member may read and write shows only when it does. */
    private void works(LogId log) {
        failures.clear(); // the clients work
        usedAt = clock.time();
        if (!health.isLastingMajority(log.partition())) {
            problems.clear(Problems.Source.LOG);
        }
    }

    private static boolean isUnknownTopic(@Nullable Exception failure) {
        return failure instanceof UnknownTopicOrPartitionException
                || (failure != null && failure.getCause() instanceof UnknownTopicOrPartitionException);
    }
}
