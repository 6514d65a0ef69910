package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.neli.internal.election.LogId;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.Problems;
import io.neli.internal.shell.UnusableLogException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Judges by reads and writes which logs work, and whether the connection does; reports what does not. A partition is
 * led with the logs that work, as long as they are a majority. Belongs to one thread, except {@link #failing}.
 */
final class LogHealth {

    private static final int NON_RETRIABLE_FAILURES = 3;

    /** How long a reader may stand still although the log is known to have more records. */
    private static final int LEASES_WITHOUT_PROGRESS = 2;

    /**
     * How long a failed write counts, and how long a log may be silent. An eligible member tries to write more often
     * while nobody leads, and a leader writes to all logs at once.
     */
    private static final int LEASES_UNTIL_OVER = 3;

    private static final long NONE = -1;

    private final KafkaSettings settings;
    private final ConnectedTopics topics;
    private final LogPositions positions;
    private final MemberClock clock;
    private final Problems problems;
    private final KafkaProblems descriptions;
    private final Map<LogId, State> states = new HashMap<>();
    private final Map<Integer, MonotonicTime> partitionReadAt = new HashMap<>();

    /** When any log was last read or written. */
    private MonotonicTime anyUsedAt;

    /** When a write to any log last failed. */
    private MonotonicTime anyFailedAt;

    private boolean anyFailed;
    private volatile Set<LogId> failing = Set.of();

    private static final class State {
        private MonotonicTime usedAt;
        private MonotonicTime readAt;
        private MonotonicTime failedAt = MonotonicTime.PAST;
        private @Nullable Problem failure;
        private boolean lasting;

        /** How many records the brokers have rejected since anything was read or written. */
        private int rejections;

        /** How often the client itself has failed since anything was written. */
        private int clientFailures;

        /** The offset of the oldest acknowledged record of this member that it has not read back. */
        private long unread = NONE;

        private long position;

        /** Since when the read position has not moved although the log has more. A poll may read nothing. */
        private MonotonicTime stuckSince;

        State(MonotonicTime now) {
            usedAt = now;
            readAt = now;
            stuckSince = now;
        }

        /** A record could not be written. Returns whether this failure lasts. */
        boolean failed(Exception why, Problem problem, MonotonicTime now) {
            failedAt = now;
            boolean refused = KafkaProblems.isRefused(why);
            boolean counts = !refused && !(why instanceof RetriableException);
            boolean answered = why instanceof ApiException;
            rejections += counts && answered ? 1 : 0;
            clientFailures += counts && !answered ? 1 : 0;
            boolean lasts = refused || (counts && Math.max(rejections, clientFailures) >= NON_RETRIABLE_FAILURES);
            if (lasts || failure == null) { // different wordings of the same cause are one problem
                failure = problem;
            }
            lasting |= lasts;
            return lasts;
        }
    }

    LogHealth(
            KafkaSettings settings,
            ConnectedTopics topics,
            LogPositions positions,
            MemberClock clock,
            Problems problems) {
        this.settings = settings;
        this.topics = topics;
        this.positions = positions;
        this.clock = clock;
        this.problems = problems;
        this.descriptions = new KafkaProblems(settings);
        this.anyUsedAt = clock.time();
        this.anyFailedAt = anyUsedAt;
    }

    private State state(LogId log) {
        return states.computeIfAbsent(log, id -> new State(clock.time()));
    }

    /** Whether more than this many leases have passed since then. */
    private boolean hasPassed(MonotonicTime since, int leases) {
        Duration limit = settings.shell().election().leaseDuration().multipliedBy(leases);
        return since.until(clock.time()).compareTo(limit) > 0;
    }

    /** Reading of these logs begins: their earlier state no longer counts. */
    void opened(Collection<LogId> logs) {
        logs.forEach(log -> states.put(log, new State(clock.time())));
    }

    /** A poll has succeeded, and has read from these logs, or none. */
    void read(Set<LogId> logs) {
        logs.forEach(log -> {
            State state = state(log);
            state.readAt = clock.time();
            partitionReadAt.put(log.partition(), clock.time());
            succeeded(state, !state.lasting || hasPassed(state.failedAt, LEASES_UNTIL_OVER));
        });
        if (logs.isEmpty() && hasPassed(anyFailedAt, anyFailed ? LEASES_UNTIL_OVER : 1)) {
            problems.clear(Problems.Source.LOG); // nothing fails any more, because nothing is written
        }
    }

    /** A record of this member is in the log; the offset is negative if unknown. */
    void written(LogId log, long offset) {
        State state = state(log);
        succeeded(state, true);
        states.values().forEach(each -> each.clientFailures = 0); // only this shows that the producer works
        if (state.unread == NONE && offset >= 0 && positions.isOpen(log)) {
            state.unread = offset;
            state.stuckSince = clock.time();
        }
    }

    /**
     * A read or write has succeeded. Only this, and not a connection, shows that the member may read or write.
     *
     * @param isOver whether what failed before is over: reading what others write does not show that
     */
    private void succeeded(State state, boolean isOver) {
        state.usedAt = clock.time();
        if (isOver) {
            state.failure = null;
            state.lasting = false;
        }
        states.values().forEach(each -> each.rejections = 0);
        anyUsedAt = clock.time();
        if (states.entrySet().stream()
                .noneMatch(each ->
                        each.getValue().lasting && lacksMajority(each.getKey().partition()))) {
            problems.clear(Problems.Source.LOG);
        }
    }

    /**
     * A record could not be written.
     *
     * @throws RuntimeException if the clients no longer work
     */
    void failed(LogId log, Exception failure) {
        anyFailed = true;
        anyFailedAt = clock.time();
        Problem problem = descriptions.ofWriting(log.log(), failure);
        boolean lasting = state(log).failed(failure, problem, anyFailedAt);
        if (lasting && lacksMajority(log.partition())) {
            Problem first = firstLasting(log.partition()).orElse(problem);
            if (!KafkaProblems.isRefused(failure)) {
                throw new UnusableLogException(first, failure);
            }
            problems.report(Problems.Source.LOG, first);
        } else if (failure instanceof RetriableException && hasPassed(anyUsedAt, 1)) {
            problems.reportFirst(Problems.Source.LOG, problem);
        }
    }

    /** Whether lasting failures leave a partition fewer than a majority of its logs. */
    private boolean lacksMajority(int partition) {
        return countWithout(partition, log -> state(log).lasting)
                < settings.shell().majority();
    }

    /** What fails in the first log with a lasting failure: the same at each attempt, unlike the last one. */
    private Optional<Problem> firstLasting(int partition) {
        return settings.numbers().stream()
                .map(number -> state(new LogId(partition, number)))
                .filter(state -> state.lasting)
                .flatMap(state -> Stream.ofNullable(state.failure))
                .findFirst();
    }

    /** How many logs of a partition the predicate does not match. */
    private long countWithout(int partition, Predicate<LogId> which) {
        return settings.numbers().stream()
                .filter(number -> !which.test(new LogId(partition, number)))
                .count();
    }

    /**
     * The logs whose reader makes no progress before their known end. If no record of this member is left to read, the
     * reader works, and the log has lost its end.
     *
     * @throws TimeoutException if the reader does not work
     */
    Set<LogId> stuck() {
        Set<LogId> stuck =
                settings.shell().logs().stream().filter(this::isStuck).collect(Collectors.toSet());
        for (int partition = 0; partition < settings.shell().partitions(); partition++) {
            if (countWithout(partition, log -> stuck.contains(log) && state(log).unread != NONE)
                    < settings.shell().majority()) {
                throw new TimeoutException("partition " + partition + " is not read, although something was written to"
                        + " it more than " + LEASES_WITHOUT_PROGRESS + " leases ago");
            }
        }
        return stuck;
    }

    private boolean isStuck(LogId log) {
        State state = state(log);
        long position = positions.isOpen(log) ? positions.offset(log) : Long.MAX_VALUE;
        state.unread = state.unread < position ? NONE : state.unread;
        boolean behind = state.unread != NONE || position < positions.end(log);
        if (!behind || position != state.position) {
            state.position = position;
            state.stuckSince = clock.time();
        }
        return hasPassed(state.stuckSince, LEASES_WITHOUT_PROGRESS);
    }

    /** The logs that do not work, as last reported. May be called from any thread. */
    Set<LogId> failing() {
        return failing;
    }

    /**
     * Reports the current problems, and clears those that are over.
     *
     * @param closedForLong the logs that cannot be opened
     * @param needed how many logs a leader must hold, by partition
     * @param isCreatedAgain whether a log does not count, because the others do not know it yet
     */
    void report(Set<LogId> closedForLong, IntUnaryOperator needed, Predicate<LogId> isCreatedAgain) {
        if (problems.of(Problems.Source.CONFLICT).isPresent()) {
            // A leader with another neli.quorum does not write to all logs.
            states.values().forEach(each -> each.readAt = clock.time());
        }
        Map<LogId, Optional<Problem>> causes = causes(closedForLong);
        failing = Set.copyOf(causes.keySet());
        Predicate<LogId> isMissing = isCreatedAgain.or(causes::containsKey);
        Set<Integer> lost = partitions()
                .filter(partition -> countWithout(partition, isMissing) < needed.applyAsInt(partition))
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
        Predicate<LogId> isLost = log -> lost.contains(log.partition());
        Problem ofLost =
                lost.isEmpty() ? null : describe(lost, isMissing, isLost.and(isCreatedAgain), distinct(causes, isLost));
        boolean all = lost.size() == settings.shell().partitions();
        problems.reportOrClear(Problems.Source.ALL_PARTITIONS, all ? ofLost : null);
        problems.reportOrClear(Problems.Source.PARTITION, all ? null : ofLost);
        problems.reportOrClear(Problems.Source.WIDTH, topics.narrow().orElse(null));
        causes.keySet().removeIf(isLost);
        problems.reportOrClear(
                Problems.Source.LOGS,
                causes.isEmpty()
                        ? null
                        : descriptions.ofLogs(causes.keySet(), topics::brokers, distinct(causes, log -> true)));
    }

    private Problem describe(
            Set<Integer> lost, Predicate<LogId> isMissing, Predicate<LogId> isCreatedAgain, Set<Problem> causes) {
        Set<Integer> createdAgain = settings.shell().logs().stream()
                .filter(isCreatedAgain)
                .map(LogId::log)
                .collect(Collectors.toSet());
        boolean majorityWorks = partitions()
                .allMatch(partition ->
                        countWithout(partition, isMissing) >= settings.shell().majority());
        return descriptions.ofPartitions(lost, createdAgain, majorityWorks, causes);
    }

    private IntStream partitions() {
        return IntStream.range(0, settings.shell().partitions());
    }

    /** The logs that do not work, in order of topics, each with its cause if that is known. */
    private Map<LogId, Optional<Problem>> causes(Set<LogId> closedForLong) {
        Map<LogId, Optional<Problem>> causes =
                new TreeMap<>(Comparator.comparingInt(LogId::log).thenComparing(LogId::partition));
        boolean single = !settings.isQuorum();
        states.forEach((log, state) -> {
            if (single ? isFailingAlone(state) : isFailing(state) || isSilent(log, state)) {
                causes.put(log, Optional.ofNullable(state.failure));
            }
        });
        closedForLong.forEach(log -> causes.putIfAbsent(log, Optional.empty()));
        topics.failures().forEach((number, why) -> settings.shell()
                .logsOf(number)
                .forEach(log -> causes.put(log, Optional.of(descriptions.ofTopic(number, why)))));
        return causes;
    }

    /** Without a quorum, what lasts and what concerns every partition is a problem of the connection. */
    private boolean isFailingAlone(State state) {
        return !hasPassed(anyUsedAt, 1) && !state.lasting && isFailing(state);
    }

    private boolean isFailing(State state) {
        return state.lasting
                || (state.failure != null
                        && hasPassed(state.usedAt, 1)
                        && !hasPassed(state.failedAt, LEASES_UNTIL_OVER));
    }

    /** Whether other logs of the partition are read, but nothing arrives in this one. */
    private boolean isSilent(LogId log, State state) {
        MonotonicTime read = partitionReadAt.getOrDefault(log.partition(), MonotonicTime.PAST);
        Duration limit = settings.shell().election().leaseDuration().multipliedBy(LEASES_UNTIL_OVER);
        return state.readAt.plus(limit).compareTo(read) < 0;
    }

    private static Set<Problem> distinct(Map<LogId, Optional<Problem>> causes, Predicate<LogId> which) {
        return causes.entrySet().stream()
                .filter(each -> which.test(each.getKey()))
                .flatMap(each -> each.getValue().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
