package io.neli;

/** Work under way in a term, from {@link Neli#beginWork()} to {@link #close()}, both on the same thread. */
public interface LeaderWork extends AutoCloseable {

    /** The term it runs in. */
    Leadership leadership();

    /** Ends it. Clears the interrupt flag of the thread if a fence has set it. */
    @Override
    void close();
}
