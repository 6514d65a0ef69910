package io.neli.nats;

import java.time.ZonedDateTime;

/** A connection with a consumer of the stream. Belongs to one thread. */
interface StreamLink extends AutoCloseable {

    /**
     * Where reading begins.
     *
     * @param stream when the stream was created, which tells it from a stream that is created again
     * @param continues whether what the last connection read may still be there; its last message is then read again
     * @param start the first sequence to read
     * @param end the first sequence that was not in the stream yet
     * @param extendable whether there are earlier messages that were not asked for
     * @param now the server's clock at that time
     */
    record Opened(
            ZonedDateTime stream, boolean continues, long start, long end, boolean extendable, ZonedDateTime now) {}

    Opened opened();

    /** Receives what is read, and the outcome of each write. */
    Inbox inbox();

    /** Writes to the stream; the outcome goes to the inbox. */
    void write(Unsent.Attempt attempt);

    /** Tells the server that it may send more. */
    void answer(String answerTo);

    @Override
    void close();
}
