package io.neli;

/** Work under way in a term, from {@link Neli#beginWork()} to {@link #close()}, both on the same thread unless it is detached. */
public interface LeaderWork extends AutoCloseable {

    /** The term it runs in. */
    Leadership leadership();

    /**
     * Lets the work go on without the thread that began it, until {@link #close()}, which any thread may call then: for
     * work that ends in a callback. A handover waits for it as before, and {@link NeliBuilder#workLimit} holds. The thread is
     * free for anything else: a fence does not interrupt it, {@link Leadership#current()} is no longer this term there, and
     * what it begins next is no part of this work. {@link Neli#close()} waits for the work, for at most the handover timeout,
     * even where the work itself calls it.
     *
     * @param onFence called instead of an interrupt when the term is fenced, or has been already; at most once, on a thread
     *     of the election, perhaps while the work is being closed, and not where
     *     {@linkplain NeliBuilder#interruptOnFence interrupts are switched off}. Should return soon: other work hears of the
     *     fence after it. What it throws is logged
     * @throws IllegalStateException if the work was detached or closed before, if this is not the thread that began it, or if
     *     it is part of other work that has ended
     */
    void detach(Runnable onFence);

    /** Ends it. Clears the interrupt flag of the thread if a fence has set it. */
    @Override
    void close();
}
