package io.neli;

/**
 * Work in progress in a term, from {@link Neli#beginWork()} to {@link #close()}, both on the same thread unless it is
 * detached.
 */
public interface LeaderWork extends AutoCloseable {

    /** The term it runs in. */
    Leadership leadership();

    /**
     * Lets the work continue without the thread that began it until {@link #close()}, which any thread may then call:
     * for work that ends in a callback. A handover still waits for it, and {@link NeliBuilder#workLimit} still applies.
     * The thread is free for other things: a fence does not interrupt it, {@link Leadership#current()} is no longer
     * this term there, and what it begins next is not part of this work. {@link Neli#close()} waits for the work, for
     * at most the handover timeout, even where the work itself calls it.
     *
     * @param onFence called instead of an interrupt when the term is fenced or already has been; at most once, on a
     *     thread of the election, possibly while the work is being closed, and not where {@linkplain
     *     NeliBuilder#interruptOnFence interrupts are switched off}. It should return soon: other work is notified
     *     after it. What it throws is logged
     * @throws IllegalStateException if the work was already detached or closed, if this is not the thread that began
     *     it, or if it is part of other work that has ended
     */
    void detach(Runnable onFence);

    /** Ends the work. Clears the thread's interrupt flag if a fence has set it. */
    @Override
    void close();
}
