package io.neli.nats;

import java.io.IOException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

import io.nats.client.AuthenticationException;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.JetStreamStatusException;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.PublishAck;
import io.nats.client.api.StreamInfo;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.DaemonThread;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.ShellSettings;
import io.neli.internal.shell.TaskThreads;

/**
 * A connection with a consumer of the stream, whose messages go to an {@link Inbox}. It is never repaired: after any
 * failure, a new connection replaces it.
 */
record StreamConnection(Connection connection, Inbox inbox, Opened opened, Duration writeLimit, TaskThreads closing)
        implements StreamLink {

    private static final byte[] NOTHING = {};

    /** The client writes the name of a connection into JSON as it is, and the server refuses what is not JSON. */
    private static final Pattern UNESCAPED = Pattern.compile("[\"\\\\]");

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(2);
    private static final Duration REQUEST_LIMIT = Duration.ofSeconds(2);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    /** This part of a lease is the write limit. {@link WriteCheck} waits longer, from the first unanswered write on. */
    private static final int WRITE_LIMITS_PER_LEASE = 4;

    private static final Duration SHORTEST_WRITE_LIMIT = Duration.ofMillis(250);

    /** How often within the write limit the client looks for requests that were not answered in time. */
    private static final int CLEANUPS = 3;

    private static final Duration FLUSH_LIMIT = Duration.ofMillis(200);

    /** The shortest interval that servers accept. */
    private static final Duration SHORTEST_HEARTBEAT = Duration.ofMillis(100);

    private static final Duration LONGEST_HEARTBEAT = Duration.ofSeconds(1);

    /** Reports are frequent enough to notice that a consumer is gone, and to replace it, before the lease ends. */
    private static final int REPORTS_PER_LEASE = 12;

    /** How many messages before the end are read, per partition: with a leader, some of them are its heartbeats. */
    private static final long LOOKBACK = 200;

    /**
     * How many if {@link #LOOKBACK} does not suffice. They reach back further than any lease, as does {@link
     * #LONGEST_AGE}; the lesser one counts.
     */
    private static final long LONGEST_LOOKBACK = 10_000;

    /** Twice any lease, so that the servers' clocks need not agree. */
    private static final Duration LONGEST_AGE = ElectionSettings.LONGEST_LEASE.multipliedBy(2);

    /**
     * Connects and creates the consumer; each step has a time limit. If some logs are to be read from further back,
     * starts as far back as any record may matter.
     */
    static StreamConnection connect(
            Options given,
            ShellSettings settings,
            LeaderStream stream,
            NatsSession.Reading reading,
            MemberClock clock,
            TaskThreads closing)
            throws IOException, JetStreamApiException, InterruptedException {
        Inbox inbox = new Inbox();
        Connection connection = connect(
                new Options.Builder(given)
                        .reportNoResponders()
                        .connectionTimeout(CONNECT_LIMIT)
                        .requestCleanupInterval(writeLimit(settings).dividedBy(CLEANUPS)),
                "neli-" + settings.name(),
                inbox);
        try {
            Opened opened = subscribe(connection, inbox, settings, stream, reading, clock.time());
            return new StreamConnection(connection, inbox, opened, writeLimit(settings), closing);
        } catch (Throwable e) { // after an Error, too, no connection is left open
            close(connection);
            String refusal = inbox.takeRefusal();
            if (refusal != null) { // the server does not answer a refused request
                throw new NatsFailure.Refusal(refusal, e);
            }
            throw e;
        }
    }

    private static Opened subscribe(
            Connection connection,
            Inbox inbox,
            ShellSettings settings,
            LeaderStream stream,
            NatsSession.Reading reading,
            MonotonicTime now)
            throws IOException, JetStreamApiException {
        JetStreamManagement streams = connection.jetStreamManagement(
                JetStreamOptions.builder().requestTimeout(REQUEST_LIMIT).build());
        StreamInfo found = stream.ensure(streams, servers(connection));
        requireEnd(found, reading.position(), now, settings.election().leaseDuration());
        boolean further = !reading.extended().isEmpty();
        Consumers consumers = new Consumers(connection, settings);
        long first = first(found, reading.unreadable(), further, consumers);
        boolean continues = continues(found, reading.position());
        long start = start(found, first, reading.position(), continues, further, settings.partitions());
        ConsumerInfo consumer = consumers.from(start);
        StreamInfo latest = stream.info(streams);
        if (!latest.getCreateTime().isEqual(found.getCreateTime())) {
            throw new IOException("the stream was created again meanwhile");
        }
        // Last, because a message may end the client's reading thread, see Unreadable, and then no answer would be
        // read.
        connection
                .createDispatcher(inbox)
                .subscribe(consumer.getConsumerConfiguration().getDeliverSubject());
        long end = latest.getStreamState().getLastSequence() + 1;
        boolean extendable = !further && start > first;
        return new Opened(latest.getCreateTime(), continues, start, end, extendable, consumer.getCreationTime());
    }

    /** The first message that may matter. */
    private static long first(StreamInfo found, Unreadable unreadable, boolean further, Consumers consumers)
            throws IOException, JetStreamApiException {
        long first = Math.max(found.getStreamState().getFirstSequence(), unreadable.first(found.getCreateTime()));
        if (further && found.getStreamState().getMsgCount() > LOOKBACK) {
            ZonedDateTime last = found.getStreamState().getLastTime();
            return Math.max(first, consumers.sequenceAt(last.minus(LONGEST_AGE)));
        }
        return first;
    }

    /**
     * Connects, and reports to the inbox. Its exceptions contain no passwords from addresses.
     *
     * @param name what the server calls the connection
     */
    static Connection connect(Options.Builder options, String name, Inbox inbox)
            throws IOException, InterruptedException {
        try {
            Connection connection = Nats.connect(options.noReconnect()
                    .connectionName(UNESCAPED.matcher(name).replaceAll("_"))
                    .connectionListener(inbox)
                    .errorListener(inbox)
                    .build());
            inbox.connected(connection);
            return connection;
        } catch (IOException e) { // its message contains addresses, which may have passwords
            String shown = NatsFailure.shown(String.valueOf(e.getMessage()));
            // The client throws what happened at the server that it tried last, but one that refuses matters more.
            String refusal = inbox.lastLoginError();
            Throwable cause = e.getCause() == null ? inbox.lastException() : e.getCause();
            throw refusal != null || e instanceof AuthenticationException
                    ? new NatsFailure.Refusal(refusal == null ? shown : refusal, cause)
                    : new IOException(shown, cause);
        }
    }

    static int servers(Connection connection) {
        return Math.max(1, connection.getServerInfo().getConnectURLs().size());
    }

    /** Refuses a server that does not know the end of the stream yet. */
    private static void requireEnd(StreamInfo found, StreamPosition position, MonotonicTime now, Duration lease)
            throws IOException {
        long last = found.getStreamState().getLastSequence();
        if (position.isIn(found.getCreateTime()) && position.mayComeBack(last, now, lease)) {
            throw new IOException(
                    "the stream ends at " + last + ", and was read up to " + (position.next() - 1) + " before");
        }
    }

    /** Whether reading may continue. The last message is then read again to verify that it is the same. */
    private static boolean continues(StreamInfo found, StreamPosition position) {
        long last = position.next() - 1;
        return position.isIn(found.getCreateTime())
                && position.lastTime() != null
                && found.getStreamState().getFirstSequence() <= last
                && last <= found.getStreamState().getLastSequence();
    }

    private static long start(
            StreamInfo found, long first, StreamPosition position, boolean continues, boolean further, int partitions) {
        if (continues && !further) {
            return position.next() - 1;
        }
        long lookback = (further ? LONGEST_LOOKBACK : LOOKBACK) * partitions;
        long back = Math.max(first, found.getStreamState().getLastSequence() + 1 - lookback);
        return continues ? Math.min(back, position.next() - 1) : back;
    }

    /** The interval at which the server reports that there is nothing to read. */
    static Duration heartbeat(ShellSettings settings) {
        return between(SHORTEST_HEARTBEAT, part(settings, REPORTS_PER_LEASE), LONGEST_HEARTBEAT);
    }

    private static Duration writeLimit(ShellSettings settings) {
        return between(SHORTEST_WRITE_LIMIT, part(settings, WRITE_LIMITS_PER_LEASE), REQUEST_LIMIT);
    }

    private static Duration part(ShellSettings settings, int parts) {
        return settings.election().leaseDuration().dividedBy(parts);
    }

    private static Duration between(Duration shortest, Duration wanted, Duration longest) {
        return Collections.max(List.of(shortest, Collections.min(List.of(wanted, longest))));
    }

    @Override
    public void answer(String answerTo) {
        try {
            connection.publish(answerTo, NOTHING);
        } catch (IllegalStateException e) {
            // closed, which the inbox reports too
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the outcome goes to the inbox
    public void write(Unsent.Attempt attempt) {
        try {
            connection.requestWithTimeout(attempt.message(), writeLimit).whenComplete((answer, failure) -> {
                inbox.add(failure == null ? outcome(attempt, answer) : outcome(attempt, failure));
            });
        } catch (IllegalStateException | IllegalArgumentException e) { // closed, or its queue is full
            inbox.add(new Inbox.Event.NotWritten(attempt, e));
        }
    }

    private static Inbox.Event outcome(Unsent.Attempt attempt, Message answer) {
        try {
            return new Inbox.Event.Written(attempt, new PublishAck(answer).getSeqno());
        } catch (IOException | JetStreamApiException e) {
            return new Inbox.Event.NotWritten(attempt, e);
        }
    }

    private static Inbox.Event outcome(Unsent.Attempt attempt, Throwable failure) {
        boolean notTaken = failure instanceof JetStreamStatusException status
                && status.getStatus().isNoResponders();
        return notTaken ? new Inbox.Event.NotTaken(attempt, failure) : new Inbox.Event.NotWritten(attempt, failure);
    }

    /** Does not wait: while the server is frozen, closing a TLS connection blocks. */
    @Override
    public void close() {
        closing.execute(this::closeNow);
    }

    private void closeNow() {
        try {
            connection.flush(FLUSH_LIMIT);
        } catch (TimeoutException | IllegalStateException e) {
            // the server does not answer, or the connection is closed
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close(connection);
    }

    /** On a thread that is interrupted, the client would forget the interrupt, or leave its threads behind. */
    static void close(Connection connection) {
        Thread closer = DaemonThread.of(connection.getOptions().getConnectionName() + "-close", () -> {
            try {
                connection.close();
            } catch (InterruptedException e) {
                // by join(), because it has taken too long
            }
        });
        closer.start();
        DaemonThread.join(closer, CLOSE_LIMIT);
    }
}
