package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

import io.neli.internal.election.Input;
import io.neli.internal.election.LogId;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.RecordCodec;
import io.neli.internal.shell.MemberClock;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The logs, open for reading and writing. What is wrong with one topic concerns its logs, as long as a majority of the topics can
 * be used; otherwise it is a failure of the connection, which cannot be reused. Belongs to one thread at a time.
 */
final class LogConnection implements AutoCloseable {

    private static final Duration WARM_UP_LIMIT = Duration.ofSeconds(5);
    private static final long WARM_UP_PAUSE_MILLIS = 2;
    /** Not zero: the client would join its thread without a limit, and that may hang in a name lookup. */
    private static final Duration ADMIN_CLOSE_LIMIT = Duration.ofMillis(10);

    /** While the brokers are asked whether a topic is the same. */
    private static final Duration DOUBT_POLL = Duration.ofMillis(5);

    private final KafkaSettings settings;
    private final MemberClock clock;
    private final Admin admin;
    private final ConnectedTopics topics;
    private final LogOpening opening;
    private final LogWriter writer;
    private final LogReader reader;

    private LogConnection(
            KafkaSettings settings,
            MemberClock clock,
            Admin admin,
            ConnectedTopics topics,
            LogOpening opening,
            LogWriter writer,
            LogReader reader) {
        this.settings = settings;
        this.clock = clock;
        this.admin = admin;
        this.topics = topics;
        this.opening = opening;
        this.writer = writer;
        this.reader = reader;
    }

    /**
     * Connects; every step has a limit. Returns when records can be written to a majority of the topics.
     *
     * @param answered called on any thread when {@link #open} has something to do
     */
    static LogConnection connect(
            KafkaSettings settings,
            MemberClock clock,
            LeaderTopics leaderTopics,
            ClientProperties properties,
            KafkaClients clients,
            Runnable answered)
            throws InterruptedException {
        @Nullable Admin admin = clients.admin(properties.admin());
        @Nullable ConnectedTopics topics = null;
        @Nullable LogWriter writer = null;
        @Nullable LogReader reader = null;
        try {
            RecordCodec codec = new RecordCodec(settings.shell().groupId());
            KafkaFuture<String> clusterId = admin.describeCluster().clusterId();
            LogOrigin origin = new LogOrigin();
            topics = new ConnectedTopics(settings, clock, leaderTopics, admin, answered);
            topics.search();
            // Creating the clients takes as long. They must not ask for a missing topic: that would create it.
            writer = new LogWriter(
                    clients.producer(properties.writer()),
                    settings.topics(),
                    codec,
                    origin,
                    settings.shell().election().leaseDuration(),
                    clock);
            reader = new LogReader(
                    clients.consumer(properties.reader()), settings.shell().logs(), settings.topics(), codec, origin);
            topics.awaitFound();
            origin.isCluster(Answers.of(clusterId));
            LogOpening opening = new LogOpening(admin, settings.topics(), clock, answered);
            warmUp(writer, topics.ids().keySet(), clock);
            LogConnection connection = new LogConnection(settings, clock, admin, topics, opening, writer, reader);
            admin = null;
            topics = null;
            writer = null;
            reader = null;
            return connection;
        } finally { // an Error leaves no client behind either
            close(topics, reader, writer, admin);
        }
    }

    /** Metadata of the topics is enough: a partition without a leader does not delay the others. */
    private static void warmUp(LogWriter writer, Set<Integer> numbers, MemberClock clock) throws InterruptedException {
        MonotonicTime deadline = clock.time().plus(WARM_UP_LIMIT);
        for (int number : numbers) {
            while (!writer.isReady(number)) {
                if (clock.time().hasReached(deadline)) {
                    throw new TimeoutException(
                            "no metadata of the leader topic within " + WARM_UP_LIMIT.toSeconds() + " s");
                }
                Thread.sleep(WARM_UP_PAUSE_MILLIS);
            }
        }
    }

    private static void close(
            @Nullable ConnectedTopics topics,
            @Nullable LogReader reader,
            @Nullable LogWriter writer,
            @Nullable Admin admin) {
        if (topics != null) {
            topics.close();
        }
        try {
            if (reader != null) {
                reader.close();
            }
        } finally {
            try {
                if (writer != null) {
                    writer.close();
                }
            } finally {
                if (admin != null) {
                    admin.close(ADMIN_CLOSE_LIMIT); // nobody needs the pending answers
                }
            }
        }
    }

    LogReader reader() {
        return reader;
    }

    LogWriter writer() {
        return writer;
    }

    /** The topics that can be used. */
    ConnectedTopics topics() {
        return topics;
    }

    /** Reads these logs from there, if their topic can be used, and wants to open the others. */
    void start(Map<LogId, OffsetAndMetadata> known) {
        known.forEach(reader::start);
        opening.want(
                settings.shell().logs().stream()
                        .filter(log -> !known.containsKey(log))
                        .toList(),
                Duration.ZERO);
    }

    /** These logs are not read until they are opened again, and this once it is known that their topics are the same. */
    void lost(Collection<LogId> logs) {
        reopen(logs);
        writer.drop(logs);
        logs.stream().mapToInt(LogId::log).distinct().forEach(topics::doubt);
    }

    /** These logs are not read until they are opened again. */
    void reopen(Collection<LogId> logs) {
        reader.pause(logs);
        opening.want(logs, Duration.ZERO);
    }

    /** This log is not read until it is opened again, after a pause: what comes next may be corrupt too. */
    void corrupt(LogId log) {
        opening.want(Set.of(log), LogOpening.SHORTEST_PAUSE);
    }

    /** How long {@link #open} has nothing to do, unless it is notified; not negative. */
    Duration timeUntilOpening() {
        if (topics.areInDoubt()) {
            return DOUBT_POLL;
        }
        MonotonicTime now = clock.time();
        Duration untilAsking = now.until(opening.askAt(topics::isConfirmed));
        Duration untilSearch = now.until(topics.searchAt());
        Duration left = untilAsking.compareTo(untilSearch) < 0 ? untilAsking : untilSearch;
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** The logs that could not be opened for so long. */
    Set<LogId> closedFor(Duration time) {
        return opening.closedFor(time);
    }

    /**
     * Opens the logs that are known to be reachable by now, and keeps asking for the others. Never waits.
     *
     * @return what was opened
     * @throws RuntimeException if the connection cannot be used any more
     */
    Map<LogId, Input.LogOpened> open(LogPositions positions) {
        IntPredicate confirmed = topics::isConfirmed;
        opening.ask(confirmed);
        Map<LogId, Input.LogOpened> opened = new HashMap<>();
        for (LogOpening.Bounds bounds : opening.takeAnswers(confirmed, topics::fail)) {
            Input.LogOpened input = positions.open(bounds);
            reader.start(bounds.log(), new OffsetAndMetadata(input.start()));
            opened.put(bounds.log(), input);
        }
        return opened;
    }

    @Override
    @SuppressWarnings("ResultOfMethodCallIgnored")
    public void close() {
        Thread.interrupted(); // it has ended the connection, and must not interrupt the close
        close(topics, reader, writer, admin);
    }
}
