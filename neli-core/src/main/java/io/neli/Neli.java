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
 * <p>The election runs in the background until {@link #close()}, through any outage of Kafka. {@link #snapshot()} shows
 * what keeps it from working. All methods may be called from any thread.
 *
 * <p>A role is what a member leads. Roles map to partitions of the leader topic. The listed role ({@link
 * NeliBuilder#roles}) at position {@code j}, counted from 0, maps to partition {@code j}, or to {@code j mod M} if M is
 * set as {@link NeliBuilder#partitions}. {@code partition-N} is always partition N, from 0 to M-1, and {@link
 * #DEFAULT_ROLE} maps to partition 0 unless it is listed. If M is set, any other name is also a role, but without
 * events: it maps to partition {@code CRC32(UTF-8 bytes of the name) mod M}. If M is not set, methods throw {@link
 * NeliException} for any other name. Roles on one partition are led together, in the same terms and with the same
 * tokens. A method without a role parameter uses {@link #defaultRole()}.
 *
 * <p>No election can promise that you still lead when your work takes effect: time passes after {@link #isLeader()}. If
 * work must never be done twice, pass {@link Leadership#token()} to the store that it writes to, and let the store
 * refuse a token smaller than one it has seen (M. Kleppmann, "How to do distributed locking", 2016).
 */
public interface Neli extends AutoCloseable {

    /** The role of an election without listed roles. */
    String DEFAULT_ROLE = "default";

    /** The longest cooldown of {@link #resign(Duration)}: a week. For longer, use {@link #pause()}. */
    Duration LONGEST_COOLDOWN = Duration.ofDays(7);

    /** A builder with defaults for all settings except the group id and the Kafka connection. */
    static NeliBuilder builder() {
        return new NeliBuilder();
    }

    /**
     * Joins the election and returns without waiting for Kafka, unless {@link NeliBuilder#failFast} is set. Has no
     * effect if already started. After {@link #close()} it first waits until the work and listeners of the previous
     * start have ended, and then starts again, as a new member with the same name.
     *
     * @throws NeliException if {@code failFast} is set and the election cannot run, which also closes it; or if work or
     *     a listener of the previous start runs for longer than the handover timeout after its close; or on interrupt
     * @throws IllegalStateException if called by work or a listener of the previous start
     */
    void start();

    /** The role of methods without a role parameter: the first listed role, or else {@link #DEFAULT_ROLE}. */
    String defaultRole();

    /** The {@linkplain NeliBuilder#roles listed roles}, in order; empty if none are listed. */
    List<String> roles();

    /** How long running work may continue during a handover, see {@link NeliBuilder#handoverTimeout}. */
    Duration handoverTimeout();

    /**
     * Whether this member leads now. Compares the lease with the clock at each call, so that the answer is correct even
     * right after a long pause of the process. Takes no lock.
     */
    default boolean isLeader() {
        return isLeader(defaultRole());
    }

    /** {@link #isLeader()} for a role. */
    boolean isLeader(String role);

    /** The partition of the leader topic that a role maps to. */
    int partitionOf(String role);

    /** The term that this member leads now; empty if {@link #isLeader()} is false. */
    default Optional<Leadership> leadership() {
        return leadership(defaultRole());
    }

    /** {@link #leadership()} for a role. */
    Optional<Leadership> leadership(String role);

    /** The leader, as far as this member knows; may be this member. Empty while nobody is known to lead. */
    default Optional<Leader> leader() {
        return leader(defaultRole());
    }

    /** {@link #leader()} for a role. */
    Optional<Leader> leader(String role);

    /**
     * Waits until this member leads. {@linkplain #beginWork() Work} may begin once the listeners have prepared, which
     * this does not wait for. Returns immediately if not started.
     *
     * @return the term; empty if not started, or if the timeout passed first or the election was closed
     * @throws InterruptedException if the calling thread is interrupted
     */
    default Optional<Leadership> awaitLeadership(Duration timeout) throws InterruptedException {
        return awaitLeadership(defaultRole(), timeout);
    }

    /** {@link #awaitLeadership(Duration)} for a role. */
    Optional<Leadership> awaitLeadership(String role, Duration timeout) throws InterruptedException;

    /**
     * Begins a piece of work that only the leader may do. Empty if this member does not lead, is handing over, or its
     * {@link LeaderEvent.LeaderAcquired} listeners have not returned yet. The thread that began the work must close it;
     * after {@link LeaderWork#detach}, any thread may. Until it is closed:
     *
     * <ul>
     *   <li>a handover waits for it: nobody else leads while it runs, until it is fenced, at the latest after the
     *       handover timeout (with {@link Mode#NON_EXCLUSIVE} others may);
     *   <li>a fence interrupts the thread, unless {@link NeliBuilder#interruptOnFence} is off;
     *   <li>this member does not lead the role again: work of two of its terms never overlaps.
     * </ul>
     */
    default Optional<LeaderWork> beginWork() {
        return beginWork(defaultRole());
    }

    /** {@link #beginWork()} for a role; only a handover of its partition waits for it. */
    Optional<LeaderWork> beginWork(String role);

    /**
     * Calls the task repeatedly while this member leads, as {@linkplain #beginWork() work} on a separate thread
     * (goNELI's {@code Background}). If the task throws, the exception is logged, and the next call follows after a
     * heartbeat interval.
     *
     * @return when closed, ends the calls after the current one; {@link Neli#close()} ends them too
     * @throws IllegalStateException if the election is not started
     */
    default BackgroundTask background(LeaderTask task) {
        return background(defaultRole(), task);
    }

    /** {@link #background(LeaderTask)} for a role. */
    BackgroundTask background(String role, LeaderTask task);

    /**
     * Runs a job while this member leads its role: each due run happens once in the group, whoever leads. Call this
     * before or after {@link #start()}, on each member that should run the job. The job remains scheduled when this
     * election is closed and started again. The first job of a group creates a topic for the records of runs, named
     * like the leader topic followed by {@code .runs}.
     *
     * @throws NeliException if a job of that name already exists, the role is unknown, or the mode is {@link
     *     Mode#NON_EXCLUSIVE}
     * @throws RuntimeException what the {@link Job.Times} of the job throw
     */
    void schedule(Job job);

    /**
     * Removes a {@linkplain #schedule job} from this member. A run in progress continues to its end. The record of the
     * last run remains, and each new leader reads it, so do not create a job for each order or customer.
     */
    void unschedule(String job);

    /**
     * Begins a run of a job even if it is not due, unless a run is in progress. Returns immediately; a run that cannot
     * begin is tried again until the term ends. Before this member has read the job's records, it only logs a warning.
     *
     * @throws NotLeaderException if this member does not lead the job's role
     * @throws IllegalArgumentException if there is no such job
     */
    void runNow(String job);

    /**
     * Steps down in all roles after running work has ended. This member is not eligible until the cooldown is over or
     * {@link #resume()} is called. Returns immediately. If this member does not lead, only its eligibility changes. Has
     * no effect if not started.
     *
     * @param cooldown at most {@link #LONGEST_COOLDOWN}; meanwhile another member takes over, if there is one
     * @throws IllegalArgumentException if the cooldown is negative or longer than that
     */
    void resign(Duration cooldown);

    /** {@link #resign(Duration)} for a role and those that share its partition. */
    void resign(String role, Duration cooldown);

    /**
     * Hands over all that this member leads. It is not eligible until {@link #resume()}. Returns immediately. Has no
     * effect if already paused or not started: each {@link #start()} begins unpaused.
     */
    void pause();

    /**
     * {@link #pause()} for a role and those that share its partition. The pause of a role and that of the whole member
     * are independent: this member is eligible for a role only while neither is paused.
     */
    void pause(String role);

    /** Ends the {@linkplain #pause() pause} of the whole member and the cooldown after {@link #resign(Duration)}. */
    void resume();

    /** Ends the pause and cooldown of a role and those that share its partition, but not those of the whole member. */
    void resume(String role);

    /**
     * Sets whether this member may lead, from now on and in later starts; overrides {@link NeliBuilder#candidate}. If
     * it leads and no longer may, it hands over as in a {@linkplain #pause() pause}. Returns immediately. May be called
     * before {@link #start()}.
     */
    void candidate(boolean candidate);

    /** Adds a listener after those of the builder and those added before. It is notified of changes from now on. */
    void addListener(LeaderListener listener);

    /** What this member knows now. */
    NeliSnapshot snapshot();

    /**
     * Who led a role, according to its log. Reads the log on the calling thread with separate clients, which takes some
     * seconds for a day of records at the default heartbeat interval. This member need not be started. With {@link
     * NeliBuilder#quorum}, a majority of the logs must be readable. A fake or disabled election has no history.
     *
     * @param role the role; all roles on its partition share the history
     * @param since how far back from now to read; the log may not reach back so far
     * @return the terms, earliest first; the last one may not have ended
     * @throws IllegalArgumentException if {@code since} is not positive, or the log has more than a million records
     *     since then
     * @throws NeliException if the log cannot be read within 20 seconds
     * @throws InterruptedException if the calling thread is interrupted
     */
    List<LeaderTerm> history(String role, Duration since) throws InterruptedException;

    /**
     * Stops new work, notifies the listeners that leadership is revoked, waits for running work, hands over and
     * disconnects. Takes a few milliseconds if no work runs, and never longer than the handover timeout plus a lease
     * and a few seconds. With {@link Mode#NON_EXCLUSIVE}, work continues until the next leader leads, for at most a
     * lease. If a listener or work calls this, it waits for all other listeners and work (in that mode it returns
     * immediately), and the handover follows when the caller has ended.
     */
    @Override
    void close();

    /**
     * Waits until this member is closed. For a {@code main} method that has nothing else to do, because all threads of
     * the election are daemons. Returns immediately if not started.
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
         * @throws Exception is logged; the next call follows after a heartbeat interval
         */
        void run(Leadership leadership) throws Exception;
    }

    /** A task that is called repeatedly while this member leads. */
    interface BackgroundTask extends AutoCloseable {

        /**
         * Ends the calls and waits for the current one. After the handover timeout, or immediately if the calling
         * thread is interrupted, interrupts the current call and returns.
         */
        @Override
        void close();
    }
}
