package io.neli.internal.member;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

import io.neli.Leader;
import io.neli.LeaderEvent;
import io.neli.LeaderTerm;
import io.neli.Neli;
import io.neli.NeliException;
import io.neli.NeliSnapshot;
import io.neli.internal.runs.RunStore;
import io.neli.internal.shell.Participant;

/**
 * Decides who leads, for one start of a member: by a log, by a test, or by a setting. The {@link Member} does
 * everything else that an application sees. An engine is started once and closed once; all methods may be called from
 * any thread.
 */
public interface Engine {

    /** Creates the engine and the store of runs for each start of a member. */
    @FunctionalInterface
    interface Factory {

        /**
         * Creates an engine that is not started.
         *
         * @param events receives the changes, in order; must return immediately
         */
        Engine create(Events events);

        /** The store for the runs of the group's jobs. By default it is in memory, and lost when the member ends. */
        default RunStore runStore() {
            return RunStore.inMemory(new ConcurrentHashMap<>());
        }

        /** {@link Neli#history} of a partition; empty without a log. */
        default List<LeaderTerm> history(int partition, Duration since) throws InterruptedException {
            return List.of();
        }
    }

    interface Events {

        /** This member's leadership of a partition has changed; the role of the event is {@code partition-N}. */
        void changed(LeaderEvent event);

        /** The known leader of a partition has changed; the role of the leader is {@code partition-N}. */
        void leaderChanged(int partition, Optional<Leader> leader);
    }

    Participant participant();

    /** Begins, and returns immediately. */
    void start();

    /**
     * Waits until the engine runs, if the settings ask for that.
     *
     * @throws NeliException if it does not run in time, or has a problem that waiting does not solve
     */
    default void awaitStarted() {}

    /** Whether there is an election. Without one, nobody waits for leadership. */
    default boolean takesPart() {
        return true;
    }

    /** Whether events may come at any time, so that a thread should wait for them. */
    default boolean hasEventsOfItsOwn() {
        return true;
    }

    /** Who leads the partition now, as far as this member knows. */
    Optional<Leader> leader(int partition, String role);

    /**
     * What is known now. The {@link Member} adds the jobs and the problems of listeners.
     *
     * @param preparingFor how long the listeners of a partition have been preparing
     */
    NeliSnapshot snapshot(IntFunction<Duration> preparingFor);

    /** Hands over and ends. Returns when that is done or has timed out. */
    void close();
}
