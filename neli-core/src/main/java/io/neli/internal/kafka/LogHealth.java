package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import io.neli.internal.election.LogId;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problem;
import org.jspecify.annotations.Nullable;

/** Which logs work, by the outcome of reads and writes. Belongs to one thread. */
final class LogHealth {

    /** An eligible member tries to write more often than that when nobody leads, and a leader writes to all logs at once. */
    static final int LEASES_UNTIL_OVER = 3;

    private final KafkaSettings settings;
    private final MemberClock clock;
    private final Duration leaseDuration;
    private final Map<LogId, State> states = new HashMap<>();
    private final Map<Integer, MonotonicTime> partitionReadAt = new HashMap<>();

    /** What is known of a log. */
    private static final class State {
        private MonotonicTime usedAt;
        private MonotonicTime readAt;
        private MonotonicTime failedAt = MonotonicTime.PAST;
        private @Nullable Problem failure;
        private boolean lasting;

        State(MonotonicTime now) {
            usedAt = now;
            readAt = now;
        }
    }

    LogHealth(KafkaSettings settings, MemberClock clock) {
        this.settings = settings;
        this.clock = clock;
        this.leaseDuration = settings.shell().election().leaseDuration();
    }

    private State state(LogId log) {
        return states.computeIfAbsent(log, id -> new State(clock.time()));
    }

    /** These are read from now on. */
    void opened(Collection<LogId> logs) {
        logs.forEach(log -> states.put(log, new State(clock.time())));
    }

    void read(LogId log) {
        works(log);
        state(log).readAt = clock.time();
        partitionReadAt.put(log.partition(), clock.time());
    }

    void works(LogId log) {
        State state = state(log);
        state.usedAt = clock.time();
        state.failure = null;
        state.lasting = false;
    }

    /**
     * A record could not be written.
     *
     * @param lasting whether that will not pass by itself
     */
    void fails(LogId log, Problem failure, boolean lasting) {
        State state = state(log);
        state.failedAt = clock.time();
        if (lasting || state.failure == null) { // different wordings of the same cause are one problem
            state.failure = failure;
        }
        state.lasting |= lasting;
    }

    /** Whether a partition has too few logs for which nothing lasting is wrong. */
    boolean isLastingMajority(int partition) {
        return isMajority(states.entrySet().stream()
                .filter(each -> each.getKey().partition() == partition && each.getValue().lasting)
                .count());
    }

    /** Whether a partition cannot be led without so many of its logs. */
    boolean isMajority(long logs) {
        return logs > settings.shell().quorum() - settings.shell().majority();
    }

    /** The logs that do not work, and why if that is known. */
    Map<LogId, Optional<Problem>> failing() {
        return states.entrySet().stream()
                .filter(each -> isFailing(each.getValue()) || isSilent(each.getKey(), each.getValue()))
                .collect(Collectors.toMap(Map.Entry::getKey, each -> Optional.ofNullable(each.getValue().failure)));
    }

    private boolean isFailing(State state) {
        return state.lasting
                || (state.failure != null
                        && hasPassed(state.usedAt, leaseDuration)
                        && !hasPassed(state.failedAt, leaseDuration.multipliedBy(LEASES_UNTIL_OVER)));
    }

    /** Whether the other logs of its partition are read, and nothing comes on this one. */
    private boolean isSilent(LogId log, State state) {
        MonotonicTime read = partitionReadAt.getOrDefault(log.partition(), MonotonicTime.PAST);
        return state.readAt.plus(leaseDuration.multipliedBy(LEASES_UNTIL_OVER)).compareTo(read) < 0;
    }

    private boolean hasPassed(MonotonicTime since, Duration duration) {
        return since.until(clock.time()).compareTo(duration) > 0;
    }
}
