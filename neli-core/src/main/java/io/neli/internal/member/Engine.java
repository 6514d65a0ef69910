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
 * Decides who leads, for one start of a member: Kafka's log, a test, or nobody. Everything else that an application
 * sees is the member's. An engine is started once and closed once; all methods may be called from any thread.
 */
public interface Engine {

    /** Creates what each start needs. */
    @FunctionalInterface
    interface Factory {

        /**
         * An engine that is not started.
         *
         * @param events receives what changes, in order; returns at once
         */
        Engine create(Events events);

        /**
         * Where the runs of the group's jobs are recorded. What is not shared with others is forgotten when the member
         * ends.
         */
        default RunStore runStore() {
            return RunStore.inMemory(new ConcurrentHashMap<>());
        }

        /** {@link Neli#history} of a partition; there is none without a log. */
        default List<LeaderTerm> history(int partition, Duration since) throws InterruptedException {
            return List.of();
        }
    }

    interface Events {

        /** This member's leadership of a partition; the event carries the partition's own role, {@code partition-N}. */
        void changed(LeaderEvent event);

        /** Who leads the partition, as far as this member knows; the role is the partition's own. */
        void leaderChanged(int partition, Optional<Leader> leader);
    }

    Participant participant();

    /** Begins and returns at once. */
    void start();

    /**
     * Waits until it runs, if the application wants that and it takes time.
     *
     * @throws NeliException if it does not run in time, or has a problem that waiting does not solve
     */
    default void awaitStarted() {}

    /** Whether this member takes part in an election; without one nobody waits for leadership. */
    default boolean takesPart() {
        return true;
    }

    /** Whether its events come by themselves, so that a thread should wait for them. */
    default boolean hasEventsOfItsOwn() {
        return true;
    }

    /** Who leads the partition now, as far as this member knows. */
    Optional<Leader> leader(int partition, String role);

    /**
     * What is known now; jobs and the problems of listeners are the member's.
     *
     * @param preparingFor for how long the listeners of a partition have been preparing
     */
    NeliSnapshot snapshot(IntFunction<Duration> preparingFor);

    /** Hands over and ends; returns when that is done or has timed out. */
    void close();
}
