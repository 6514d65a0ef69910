package io.neli.cluster;

import java.nio.file.Path;

/** A server in a separate process. */
public interface ServerProcess extends AutoCloseable {

    /** The server's address for clients. */
    String address();

    /** A directory that lives as long as the server. */
    Path directory();

    /** Sends SIGTERM. Returns when the server has ended. */
    void terminate();

    /** Starts the server on its existing data. Returns when it answers. */
    void restart();

    @Override
    void close();
}
