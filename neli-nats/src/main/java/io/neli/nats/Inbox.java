package io.neli.nats;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Consumer;
import io.nats.client.ErrorListener;
import io.nats.client.Message;
import io.nats.client.MessageHandler;
import org.jspecify.annotations.Nullable;

/** What the client's threads report, in order, for the thread that takes it. Thread-safe. */
final class Inbox implements MessageHandler, ConnectionListener, ErrorListener {

    private static final String LAST_SENT = "Nats-Last-Consumer";
    private static final String STALLED = "Nats-Consumer-Stalled";

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private volatile @Nullable Connection connection;
    private volatile @Nullable Exception lastException;
    private volatile @Nullable String lastRefusal;

    /** Something that happened. */
    sealed interface Event {

        /** A message of the stream. */
        record Received(StreamMessage message) implements Event {}

        /**
         * The server's word that there is nothing to send.
         *
         * @param sent the delivery of the last message that it has sent; negative if it does not say
         * @param answerTo where it waits for an answer before it sends more than the client can take; null if it does
         *     not
         */
        record Report(long sent, @Nullable String answerTo) implements Event {}

        /** A message is in the stream. */
        record Written(Unsent.Attempt attempt, long sequence) implements Event {}

        /** A message may not be in the stream. */
        record NotWritten(Unsent.Attempt attempt, Throwable why) implements Event {}

        /** A message is not in the stream: nobody was there to take it. */
        record NotTaken(Unsent.Attempt attempt, Throwable why) implements Event {}

        /** The server has refused something. */
        record Refused(String why) implements Event {}

        /** The connection cannot be used any more. */
        record Closed(String why) implements Event {}

        /** There is something else to do. */
        record Wakeup() implements Event {}
    }

    /** From now on it counts what happens to this connection; before, other servers may have been tried in vain. */
    void connected(Connection established) {
        connection = established;
        if (established.getStatus() != Connection.Status.CONNECTED) {
            closed();
        }
    }

    private void closed() {
        add(new Event.Closed("the connection is lost"));
    }

    void add(Event event) {
        events.add(event);
    }

    /** The next event; null if there is none within the limit. */
    @Nullable
    Event poll(Duration limit) throws InterruptedException {
        return events.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void onMessage(Message message) {
        add(StreamMessage.isOne(message) ? new Event.Received(StreamMessage.of(message)) : report(message));
    }

    private static Event report(Message status) {
        String sent = header(status, LAST_SENT);
        String answerTo = status.getStatus().isFlowControl() ? status.getReplyTo() : header(status, STALLED);
        return new Event.Report(sent == null ? -1 : Long.parseLong(sent), answerTo);
    }

    private static @Nullable String header(Message message, String name) {
        return message.hasHeaders() ? message.getHeaders().getFirst(name) : null;
    }

    @Override
    @Deprecated // implemented, as it must be, and not called where the other one is
    public void connectionEvent(Connection source, Events type) {}

    @Override
    public void connectionEvent(Connection source, Events type, Long time, String details) {
        boolean lost = type == Events.DISCONNECTED || type == Events.CLOSED;
        if (lost && source.equals(connection)) {
            closed();
        }
    }

    @Override
    public void errorOccurred(Connection source, String error) {
        if (source.equals(connection)) {
            lastRefusal = error;
            add(new Event.Refused(error));
        }
    }

    @Override
    public void exceptionOccurred(Connection source, Exception e) {
        lastException = e; // a disconnection follows where it matters
    }

    @Override
    public void slowConsumerDetected(Connection source, Consumer consumer) {
        add(new Event.Closed("more has come than this process can take"));
    }

    /** The last exception of the client's threads: why there is no connection, if there is none. Null if none came. */
    @Nullable
    Exception lastException() {
        return lastException;
    }

    /** What the server has refused last; null if nothing. */
    @Nullable
    String lastRefusal() {
        return lastRefusal;
    }
}
