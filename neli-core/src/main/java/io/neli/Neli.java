package io.neli;

import java.time.Duration;
import java.util.Optional;

/**
 * One member of a leader election: among all members with the same group id and topic, at most one leads at a time.
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
 * <p>What no election can promise: between {@link #isLeader()} and the effect of your work time may pass. Work that must
 * never be done twice hands {@link Leadership#token()} to the store that it writes to, which refuses a smaller token than
 * it has seen (M. Kleppmann, "How to do distributed locking", 2016).
 */
public interface Neli extends AutoCloseable {

    /** The role of an election without named roles. */
    String DEFAULT_ROLE = "default";

    /** A builder with every default in place; a group id and the Kafka connection have none. */
    static NeliBuilder builder() {
        return new NeliBuilder();
    }

    /**
     * Starts to contend and returns at once, without waiting for Kafka. Does nothing where it is started already; after
     * {@link #close()} it starts again, as a new member under the same name.
     */
    void start();

    /**
     * Whether this member leads now. Compares the lease with the clock at each call and takes no lock, so that the answer
     * is right also from the first instruction after a long pause of the process.
     */
    boolean isLeader();

    /** The term that this member leads now; empty where {@link #isLeader()} is false. */
    Optional<Leadership> leadership();

    /** Who leads as far as this member knows, itself or another; empty while nobody is known to lead. */
    Optional<Leader> leader();

    /**
     * Waits until this member leads.
     *
     * @return the term, or empty where the timeout passed first or the election was closed
     * @throws InterruptedException if the calling thread is interrupted
     */
    Optional<Leadership> awaitLeadership(Duration timeout) throws InterruptedException;

    /**
     * Begins a piece of work that only the leader may do; empty where this member does not lead, is handing over, or its
     * {@link LeaderAcquired} listeners have not yet returned. Until the work is closed, by the thread that began it:
     *
     * <ul>
     *   <li>a handover waits for it, for at most the handover timeout: nobody else leads while it runs;
     *   <li>a fence interrupts the thread, unless that was {@linkplain NeliBuilder#interruptOnFence switched off}.
     * </ul>
     */
    Optional<LeaderWork> beginWork();

    /**
     * Calls the task again and again while this member leads, as {@linkplain #beginWork() gated work} on a thread of its
     * own (goNELI's {@code Background}). A task that throws is logged, and called again after a heartbeat interval.
     *
     * @return ends the calls when closed, after the one under way; {@link Neli#close()} ends them too
     * @throws IllegalStateException if the election is not started
     */
    BackgroundTask background(LeaderTask task);

    /**
     * Gives up leading, after running work has ended, and does not stand again until the cooldown is over; without effect
     * on others. Returns at once. A member that does not lead just does not stand for that time.
     *
     * @param cooldown at least zero; another member takes over meanwhile, if there is one
     */
    void resign(Duration cooldown);

    /** What this member knows at this moment. */
    NeliSnapshot snapshot();

    /**
     * Stops new work, tells the listeners that leadership is revoked, waits for running work, hands over and disconnects.
     * Takes a few milliseconds where no work runs, and never longer than the handover timeout plus a lease and a few
     * seconds. Called from a listener it returns at once, and the rest follows when the listener has returned.
     */
    @Override
    void close();
}
