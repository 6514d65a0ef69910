package io.neli.nats;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Consumer;
import io.nats.client.ErrorListener;
import io.nats.client.Message;
import io.nats.client.MessageHandler;
import org.jspecify.annotations.Nullable;

/** A queue of what the client's threads report, in order, for the thread that polls it. Thread-safe. */
final class Inbox implements MessageHandler, ConnectionListener, ErrorListener {

    private static final String LAST_SENT = "Nats-Last-Consumer";
    private static final String STALLED = "Nats-Consumer-Stalled";

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private volatile @Nullable Connection connection;
    private volatile @Nullable Exception lastException;
    private final AtomicReference<@Nullable String> lastRefusal = new AtomicReference<>();
    private volatile @Nullable String lastLoginError;

    sealed interface Event {

        record Received(StreamMessage message) implements Event {}

        /**
         * An idle heartbeat or a flow control request of the server.
         *
         * @param sent the delivery number of the last message that the server sent; negative if it does not say
         * @param answerTo the subject on which the server waits for an answer before it sends more; null if it does not
         *     wait
         */
        record Report(long sent, @Nullable String answerTo) implements Event {}

        /** A message is in the stream. */
        record Written(Unsent.Attempt attempt, long sequence) implements Event {}

        /** A write failed or was not answered: the message may or may not be in the stream. */
        record NotWritten(Unsent.Attempt attempt, Throwable why) implements Event {}

        /** No server took the message: it is not in the stream. */
        record NotTaken(Unsent.Attempt attempt, Throwable why) implements Event {}

        /** The server has reported an error, such as a missing right. */
        record Refused(String why) implements Event {}

        /** The connection can no longer be used. */
        record Closed(String why) implements Event {}

        /** Ends the reader's wait, because it has something else to do. */
        record Wakeup() implements Event {}
    }

    /** From now on, reports the loss of this connection. Before, the client may have tried other servers in vain. */
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

    /** The next event; null if none arrives within the limit. */
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
    @Deprecated // the interface requires it, but the client calls the other overload
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
            lastRefusal.set(error);
            add(new Event.Refused(error));
        } else {
            lastLoginError = error;
        }
    }

    @Override
    public void exceptionOccurred(Connection source, Exception e) {
        lastException = e; // if it matters, a disconnection follows
    }

    @Override
    public void slowConsumerDetected(Connection source, Consumer consumer) {
        add(new Event.Closed("more has come than this process can take"));
    }

    /** The last exception of the client's threads, or null. If connecting failed, it says why. */
    @Nullable
    Exception lastException() {
        return lastException;
    }

    /** The last error that the server reported, once, or null. */
    @Nullable
    String takeRefusal() {
        return lastRefusal.getAndSet(null);
    }

    /** The last error that a server reported while the client connected, or null. */
    @Nullable
    String lastLoginError() {
        return lastLoginError;
    }
}
