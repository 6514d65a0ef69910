package io.neli.cluster;

import java.nio.file.Path;

/** A server in a process of its own. */
public interface ServerProcess extends AutoCloseable {

    /** Where clients find it. */
    String address();

    /** A directory that lives as long as the server. */
    Path directory();

    /** SIGSTOP. */
    void stop();

    /** SIGCONT. */
    void resume();

    /** SIGTERM; returns when it has ended. */
    void terminate();

    /** SIGKILL; returns when it has ended. */
    void kill();

    /** Starts it on the data that it has; returns when it answers. */
    void restart();

    @Override
    void close();
}
