package io.neli.nats;

import java.time.ZonedDateTime;

/** A connection with a consumer of the stream. Belongs to one thread. */
interface StreamLink extends AutoCloseable {

    /**
     * Where reading begins.
     *
     * @param stream when the stream was created: one that is created again is another
     * @param continues whether what the last connection has read may still be there; the last message of that is read
     *     again
     * @param start the first sequence that is read
     * @param end the first sequence that was not in the stream yet
     * @param extendable whether there are earlier messages, which were not asked for
     * @param now what the server's clock showed then
     */
    record Opened(
            ZonedDateTime stream, boolean continues, long start, long end, boolean extendable, ZonedDateTime now) {}

    Opened opened();

    /** What is read, and the outcome of each write. */
    Inbox inbox();

    /** Writes to the stream; the outcome comes into the inbox. */
    void write(Unsent.Attempt attempt);

    /** Tells the server that it may send more. */
    void answer(String answerTo);

    @Override
    void close();
}
