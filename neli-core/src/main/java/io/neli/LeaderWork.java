package io.neli;

/**
 * Work in progress in a term, from {@link Neli#beginWork()} to {@link #close()}. The thread that begins it must also
 * close it, unless the work is detached.
 */
public interface LeaderWork extends AutoCloseable {

    /** The term in which the work runs. */
    Leadership leadership();

    /**
     * Detaches the work from the thread that began it, for work that ends in a callback. It continues until {@link
     * #close()}, which any thread may then call. A handover still waits for it, and {@link NeliBuilder#workLimit} still
     * applies. The thread is free: a fence does not interrupt it, {@link Leadership#current()} no longer returns this
     * term there, and work that it begins next is not part of this work. {@link Neli#close()} waits for detached work,
     * for at most the handover timeout, even if the work itself calls it.
     *
     * @param onFence called instead of an interrupt when the term is fenced, or now if it already is. Called at most
     *     once, on a thread of the election, possibly while the work is being closed. Not called if {@linkplain
     *     NeliBuilder#interruptOnFence interrupts are off}. It should return soon, because other work is notified after
     *     it. Exceptions are logged
     * @throws IllegalStateException if the work was already detached or closed, if another thread began it, or if it is
     *     part of other work that has ended
     */
    void detach(Runnable onFence);

    /** Ends the work. Clears the thread's interrupt flag if a fence has set it. */
    @Override
    void close();
}
