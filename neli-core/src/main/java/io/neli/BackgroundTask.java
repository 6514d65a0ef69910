package io.neli;

/** A task that is called again and again while its member leads. */
public interface BackgroundTask extends AutoCloseable {

    /** Ends the calls: returns when the one under way has ended, or after the handover timeout. */
    @Override
    void close();
}
