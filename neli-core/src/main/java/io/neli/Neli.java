package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One member of a leader election: among all members with the same group id and topic, at most one leads a role at a
 * time (with {@link Mode#NON_EXCLUSIVE}, briefly more than one).
 *
 * <pre>{@code
 * try (Neli neli = Neli.builder()
 *         .kafka(Map.of("bootstrap.servers", "localhost:9092"))
 *         .groupId("billing")
 *         .listener(event -> log.info("{}", event))
 *         .start()) {
 *     if (neli.isLeader()) { ... }
 * }
 * }</pre>
 *
 * <p>The election runs in the background until {@link #close()}, through any outage of Kafka; {@link #snapshot()} shows
 * what keeps it from working. All methods may be called from any thread.
 *
 * <p>A role is one thing to be led. Roles map to partitions of the leader topic. Of the listed roles ({@link
 * NeliBuilder#roles}) the one at position {@code j}, counted from 0, maps to partition {@code j}, or to {@code j mod M}
 * where M is given as {@link NeliBuilder#partitions}. {@code partition-N} is partition N itself, from 0 to M-1, and
 * {@link #DEFAULT_ROLE} maps to partition 0 unless it is listed. Where M is given, any other name is a role too, but
 * has no events: it maps to partition {@code CRC32(UTF-8 bytes of the name) mod M}. Otherwise methods throw {@link
 * NeliException} for it. Roles on one partition are led together, in the same terms with the same tokens. A method
 * without a role means {@link #defaultRole()}.
 *
 * <p>What no election can promise: between {@link #isLeader()} and the effect of your work time may pass. Work that
 * must never be done twice passes {@link Leadership#token()} to the store that it writes to, and the store refuses a
 * token smaller than one it has seen (M. Kleppmann, "How to do distributed locking", 2016).
 */
public interface Neli extends AutoCloseable {

    /** The role of an election without listed roles. */
    String DEFAULT_ROLE = "default";

    /** The longest cooldown of {@link #resign(Duration)}: a week. For longer there is {@link #pause()}. */
    Duration LONGEST_COOLDOWN = Duration.ofDays(7);

    /** A builder with the default of every setting; group id and Kafka connection have none. */
    static NeliBuilder builder() {
        return new NeliBuilder();
    }

    /**
     * Joins the election and returns without waiting for Kafka. Does nothing where it is already started. After {@link
     * #close()} it starts again, as a new member with the same name; it first waits until the work and listeners of the
     * previous start have ended.
     *
     * @throws NeliException if {@link NeliBuilder#failFast} is set and the election cannot run, it is closed then; or
     *     if work or a listener of the previous start runs for longer than the handover timeout after its close
     * @throws IllegalStateException if called by work or a listener of the previous start
     */
    void start();

    /** The role that a method without a role means: the first listed, else {@link #DEFAULT_ROLE}. */
    String defaultRole();

    /** The {@linkplain NeliBuilder#roles listed roles} in their order; empty if none are. */
    List<String> roles();

    /** How long running work may continue in a handover: {@link NeliBuilder#handoverTimeout}. */
    Duration handoverTimeout();

    /**
     * Whether this member leads now. Compares the lease with the clock at each call and takes no lock, so the answer is
     * also right immediately after a long pause of the process.
     */
    default boolean isLeader() {
        return isLeader(defaultRole());
    }

    /** {@link #isLeader()} of a role. */
    boolean isLeader(String role);

    /** The partition of the leader topic that a role maps to. */
    int partitionOf(String role);

    /** The term that this member leads now; empty where {@link #isLeader()} is false. */
    default Optional<Leadership> leadership() {
        return leadership(defaultRole());
    }

    /** {@link #leadership()} of a role. */
    Optional<Leadership> leadership(String role);

    /** Who leads as far as this member knows, itself or another; empty while nobody is known to lead. */
    default Optional<Leader> leader() {
        return leader(defaultRole());
    }

    /** {@link #leader()} of a role. */
    Optional<Leader> leader(String role);

    /**
     * Waits until this member leads.
     *
     * @return the term; empty where the timeout passed first or the election was closed
     * @throws InterruptedException if the calling thread is interrupted
     */
    default Optional<Leadership> awaitLeadership(Duration timeout) throws InterruptedException {
        return awaitLeadership(defaultRole(), timeout);
    }

    /** {@link #awaitLeadership(Duration)} of a role. */
    Optional<Leadership> awaitLeadership(String role, Duration timeout) throws InterruptedException;

    /**
     * Begins a piece of work that only the leader may do; empty where this member does not lead, is handing over, or
     * its {@link LeaderEvent.LeaderAcquired} listeners have not returned yet. Until the work is closed, by the thread
     * that began it or after {@link LeaderWork#detach} by any thread:
     *
     * <ul>
     *   <li>a handover waits for it, for at most the handover timeout: nobody else leads while it runs (with
     *       {@link Mode#NON_EXCLUSIVE} others may);
     *   <li>a fence interrupts the thread, unless {@link NeliBuilder#interruptOnFence} is off;
     *   <li>this member does not lead the role again: work of two of its terms never overlaps.
     * </ul>
     */
    default Optional<LeaderWork> beginWork() {
        return beginWork(defaultRole());
    }

    /** {@link #beginWork()} of a role; only a handover of its partition waits for it. */
    Optional<LeaderWork> beginWork(String role);

    /**
     * Calls the task repeatedly while this member leads, as {@linkplain #beginWork() work} on a thread of its own
     * (goNELI's {@code Background}). A task that throws is logged, and called again after a heartbeat interval.
     *
     * @return ends the calls when closed, after the current one; {@link Neli#close()} ends them too
     * @throws IllegalStateException if the election is not started
     */
    default BackgroundTask background(LeaderTask task) {
        return background(defaultRole(), task);
    }

    /** {@link #background(LeaderTask)} in a role. */
    BackgroundTask background(String role, LeaderTask task);

    /**
     * Runs a job while this member leads its role: what is due runs once in the group, whoever leads. To be called
     * before or after {@link #start()}, on each member that should run it; it lasts through all starts. The first job
     * of a group creates a topic for the records of runs, named after the leader topic with {@code .runs} at its end.
     *
     * @throws NeliException if there is a job of that name already, the role cannot be meant, or the mode is
     *     {@link Mode#NON_EXCLUSIVE}
     */
    void schedule(Job job);

    /** Ends a {@linkplain #schedule job} on this member, after a run that is going on. */
    void unschedule(String job);

    /**
     * Begins a run of a job that need not be due, unless one is going on. Returns at once.
     *
     * @throws NotLeaderException if this member does not lead the job's role
     * @throws IllegalArgumentException if there is no such job
     */
    void runNow(String job);

    /**
     * Steps down in all roles after running work has ended, and is not eligible until the cooldown is over, or {@link
     * #resume()} is called. Returns at once. A member that does not lead is just not eligible for that time.
     *
     * @param cooldown at most {@link #LONGEST_COOLDOWN}; meanwhile another member takes over, if there is one
     * @throws IllegalArgumentException if the cooldown is negative or longer than that
     */
    void resign(Duration cooldown);

    /** {@link #resign(Duration)} of a role, and of those that share its partition. */
    void resign(String role, Duration cooldown);

    /**
     * Hands over all that this member leads; it is not eligible until {@link #resume()}. Returns at once. Does nothing
     * where it is already paused or not started: each {@link #start()} begins unpaused.
     */
    void pause();

    /**
     * {@link #pause()} of a role, and of those that share its partition. The pause of a role and that of the whole
     * member are independent: this member is eligible for a role while neither is paused.
     */
    void pause(String role);

    /**
     * Ends the {@linkplain #pause() pause} of the member, and the cooldown after it {@linkplain #resign(Duration)
     * resigned}.
     */
    void resume();

    /** Ends pause and cooldown of a role, and of those that share its partition, but not those of the whole member. */
    void resume(String role);

    /**
     * Whether this member may lead, from now on and in later starts, whatever {@link NeliBuilder#candidate} said. One
     * that leads and no longer may hands over as in a {@linkplain #pause() pause}. Returns at once; may be called
     * before {@link #start()}.
     */
    void candidate(boolean candidate);

    /**
     * Adds a listener, after those of the builder and those added before, which is notified of what happens from now
     * on.
     */
    void addListener(LeaderListener listener);

    /** What this member knows now. */
    NeliSnapshot snapshot();

    /**
     * Who led a role, as its log has it. Reads the log on the calling thread with clients of its own, which takes some
     * seconds for a day at the default interval; this member need not be started. With {@link NeliBuilder#quorum} a
     * majority of the logs must be readable. A fake and a disabled election have no history.
     *
     * @param role and those that share its partition
     * @param since how long ago what is read was stored at the earliest; the log may not reach back so far
     * @return the earliest term first; the last one may not have ended
     * @throws IllegalArgumentException if the time is not positive, or the log has more than a million records of it
     * @throws NeliException if the log cannot be read within 20 seconds
     * @throws InterruptedException if the calling thread is interrupted
     */
    List<LeaderTerm> history(String role, Duration since) throws InterruptedException;

    /**
     * Stops new work, notifies the listeners that leadership is revoked, waits for running work, hands over and
     * disconnects. Takes a few milliseconds where no work runs, and never longer than the handover timeout plus a lease
     * and a few seconds. With {@link Mode#NON_EXCLUSIVE} work continues until the next leader leads, for at most a
     * lease. Called from a listener or from work, it waits for all others (in that mode it returns at once), and hands
     * over when the caller has ended.
     */
    @Override
    void close();

    /**
     * Waits until this member is closed: for a {@code main} that has nothing else to do, because all threads of the
     * election are daemons. Returns at once where it is not started.
     *
     * @throws InterruptedException if the calling thread is interrupted
     */
    void awaitClosed() throws InterruptedException;

    /** A step of work for {@link #background}. It should be short, or respond to interruption. */
    @FunctionalInterface
    interface LeaderTask {

        /**
         * Does one step.
         *
         * @param leadership the term it runs in
         * @throws Exception to be logged; the task is called again after a heartbeat interval
         */
        void run(Leadership leadership) throws Exception;
    }

    /** A task that is called repeatedly while this member leads. */
    interface BackgroundTask extends AutoCloseable {

        /**
         * Ends the calls. Returns when the current call has ended; interrupts it after the handover timeout, or at once
         * if the caller is interrupted.
         */
        @Override
        void close();
    }
}
