package io.neli;

import java.time.Duration;
import java.util.Optional;

/**
 * One member of a leader election: among all members with the same group id and topic, at most one leads a role at a time
 * (with {@link io.neli.protocol.Mode#NON_EXCLUSIVE}, for a while more than one).
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
 * <p>The election runs in the background and goes on until {@link #close()}, whatever happens to Kafka in between; what
 * keeps it from working is shown by {@link #snapshot()}. All methods may be called from any thread.
 *
 * <p>A role is one thing to be led. Listed roles ({@link NeliBuilder#roles}) lie on the topic's partitions in turn: the one in
 * place {@code j}, counted from 0, on partition {@code j mod M}, where M is {@link NeliBuilder#partitions}.
 * {@code partition-N} denotes partition N itself, from 0 to M-1, and {@link #DEFAULT_ROLE} lies on partition 0 where it is
 * not listed. Any other name is a role too, without being announced: it lies on partition
 * {@code CRC32(UTF-8 bytes of the name) mod M}. Roles on one partition are led together, in the same terms with the same
 * tokens. A method without a role means the first of the list, or {@link #DEFAULT_ROLE}.
 *
 * <p>What no election can promise: between {@link #isLeader()} and the effect of your work time may pass. Work that must
 * never be done twice hands {@link Leadership#token()} to the store that it writes to, which refuses a smaller token than
 * it has seen (M. Kleppmann, "How to do distributed locking", 2016).
 */
public interface Neli extends AutoCloseable {

    /** The role of an election without listed roles. */
    String DEFAULT_ROLE = "default";

    /** A builder with every default in place; a group id and the Kafka connection have none. */
    static NeliBuilder builder() {
        return new NeliBuilder();
    }

    /**
     * Starts to contend and returns at once, without waiting for Kafka. Does nothing where it is started already; after
     * {@link #close()} it starts again, as a new member under the same name.
     *
     * @throws NeliStartException if it {@linkplain NeliBuilder#failFast was told} to wait, and the election cannot run; it is
     *     closed then
     */
    void start();

    /**
     * Whether this member leads now. Compares the lease with the clock at each call and takes no lock, so that the answer
     * is right also from the first instruction after a long pause of the process.
     */
    boolean isLeader();

    /** {@link #isLeader()} of a role. */
    boolean isLeader(String role);

    /** The partition of the leader topic that a role lies on, whoever leads it. */
    int partitionOf(String role);

    /** The term that this member leads now; empty where {@link #isLeader()} is false. */
    Optional<Leadership> leadership();

    /** {@link #leadership()} of a role. */
    Optional<Leadership> leadership(String role);

    /** Who leads as far as this member knows, itself or another; empty while nobody is known to lead. */
    Optional<Leader> leader();

    /** {@link #leader()} of a role. */
    Optional<Leader> leader(String role);

    /**
     * Waits until this member leads.
     *
     * @return the term, or empty where the timeout passed first or the election was closed
     * @throws InterruptedException if the calling thread is interrupted
     */
    Optional<Leadership> awaitLeadership(Duration timeout) throws InterruptedException;

    /** {@link #awaitLeadership(Duration)} of a role. */
    Optional<Leadership> awaitLeadership(String role, Duration timeout) throws InterruptedException;

    /**
     * Begins a piece of work that only the leader may do; empty where this member does not lead, is handing over, or its
     * {@link LeaderAcquired} listeners have not yet returned. Until the work is closed, by the thread that began it or,
     * {@linkplain LeaderWork#detach detached} from that, by any:
     *
     * <ul>
     *   <li>a handover waits for it, for at most the handover timeout: nobody else leads while it runs (with
     *       {@link io.neli.protocol.Mode#NON_EXCLUSIVE} others may);
     *   <li>a fence interrupts the thread, unless that was {@linkplain NeliBuilder#interruptOnFence switched off};
     *   <li>this member does not lead the role again, whatever ended the term: work of two of its terms never overlaps.
     * </ul>
     */
    Optional<LeaderWork> beginWork();

    /** {@link #beginWork()} of a role; a handover of its partition waits for it, and no other. */
    Optional<LeaderWork> beginWork(String role);

    /**
     * Calls the task again and again while this member leads, as {@linkplain #beginWork() gated work} on a thread of its
     * own (goNELI's {@code Background}). A task that throws is logged, and called again after a heartbeat interval.
     *
     * @return ends the calls when closed, after the one under way; {@link Neli#close()} ends them too
     * @throws IllegalStateException if the election is not started
     */
    BackgroundTask background(LeaderTask task);

    /** {@link #background(LeaderTask)} in a role. */
    BackgroundTask background(String role, LeaderTask task);

    /**
     * Gives up leading, all roles, after running work has ended, and does not stand again until the cooldown is over; without effect
     * on others. Returns at once. A member that does not lead just does not stand for that time.
     *
     * @param cooldown at least zero; another member takes over meanwhile, if there is one
     */
    void resign(Duration cooldown);

    /**
     * Hands over all that this member leads, and does not stand until {@link #resume()}. Returns at once; without effect
     * where it is paused already or not started: each {@link #start()} begins unpaused.
     */
    void pause();

    /** Stands again after {@link #pause()}; without effect where it is not paused. */
    void resume();

    /** What this member knows at this moment. */
    NeliSnapshot snapshot();

    /**
     * Stops new work, tells the listeners that leadership is revoked, waits for running work, hands over and disconnects.
     * Takes a few milliseconds where no work runs, and never longer than the handover timeout plus a lease and a few
     * seconds. With {@link io.neli.protocol.Mode#NON_EXCLUSIVE} work goes on until the next leader is there, at most for a
     * lease. Called from a listener it returns at once, and the rest follows when the listener has returned.
     */
    @Override
    void close();
}
