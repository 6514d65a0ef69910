package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.neli.internal.election.Input;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.RecordCodec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The leader topic, open for reading and writing. Cannot be reused after a failure. Belongs to one thread at a time. */
final class LogConnection implements AutoCloseable {

    private static final Duration WARM_UP_LIMIT = Duration.ofSeconds(5);
    private static final long WARM_UP_PAUSE_MILLIS = 2;
    /** Not zero: the client would join its thread without a limit, and that may hang in a name lookup. */
    private static final Duration ADMIN_CLOSE_LIMIT = Duration.ofMillis(10);

    /** While the brokers are asked whether the topic is the same. */
    private static final Duration DOUBT_POLL = Duration.ofMillis(5);

    private static final Duration TOPIC_LIMIT = Duration.ofSeconds(60);
    private static final Duration TOPIC_CLOSE_LIMIT = Duration.ofSeconds(1);

    private final Uuid topicId;
    private final MemberClock clock;
    private final Admin admin;
    private final LogWriter writer;
    private final LogReader reader;
    private final TopicIdentity identity;
    private final LogOpening opening;

    private LogConnection(
            Uuid topicId,
            MemberClock clock,
            Admin admin,
            TopicIdentity identity,
            LogOpening opening,
            LogWriter writer,
            LogReader reader) {
        this.topicId = topicId;
        this.clock = clock;
        this.admin = admin;
        this.identity = identity;
        this.opening = opening;
        this.writer = writer;
        this.reader = reader;
    }

    /**
     * Connects; every step has a limit. Returns when records can be written.
     *
     * @param answered called on any thread when {@link #open} has something to do
     */
    static LogConnection connect(
            KafkaSettings settings,
            MemberClock clock,
            LeaderTopic leaderTopic,
            ClientProperties properties,
            KafkaClients clients,
            Runnable answered)
            throws InterruptedException {
        @Nullable Admin admin = clients.admin(properties.admin());
        @Nullable LogWriter writer = null;
        @Nullable LogReader reader = null;
        try {
            RecordCodec codec = new RecordCodec(settings.groupId());
            Uuid topicId;
            Admin asked = admin;
            // Creating the clients takes as long. They must not ask for a missing topic: that would create it.
            ExecutorService asking = Executors.newSingleThreadExecutor(
                    task -> DaemonThread.of("neli-" + settings.name() + "-topic", task));
            try {
                Future<Uuid> topic = asking.submit(() -> leaderTopic.ensure(asked));
                writer = new LogWriter(
                        clients.producer(properties.writer()),
                        settings.topic(),
                        codec,
                        settings.election().leaseDuration(),
                        clock);
                reader = new LogReader(
                        clients.consumer(properties.reader()), settings.topic(), settings.partitions(), codec);
                topicId = LeaderTopic.await(topic, TOPIC_LIMIT);
            } finally {
                end(asking);
            }
            TopicIdentity identity = new TopicIdentity(
                    settings.topic(), topicId, settings.election().leaseDuration(), clock, () -> leaderTopic.id(asked));
            LogOpening opening = new LogOpening(asked, settings.topic(), clock, answered);
            warmUp(writer, clock);
            LogConnection connection = new LogConnection(topicId, clock, admin, identity, opening, writer, reader);
            admin = null;
            writer = null;
            reader = null;
            return connection;
        } finally { // an Error leaves no client behind either
            close(reader, writer, admin);
        }
    }

    /** Metadata of the topic is enough: a partition without a leader does not delay the others. */
    private static void warmUp(LogWriter writer, MemberClock clock) throws InterruptedException {
        MonotonicTime deadline = clock.time().plus(WARM_UP_LIMIT);
        while (!writer.isReady()) {
            if (clock.time().hasReached(deadline)) {
                throw new TimeoutException(
                        "no metadata of the leader topic within " + WARM_UP_LIMIT.toSeconds() + " s");
            }
            Thread.sleep(WARM_UP_PAUSE_MILLIS);
        }
    }

    /** Interrupts the step where it is still running. */
    private static void end(ExecutorService executor) {
        executor.shutdownNow();
        try {
            executor.awaitTermination(TOPIC_CLOSE_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void close(@Nullable LogReader reader, @Nullable LogWriter writer, @Nullable Admin admin) {
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

    /** The topic that this connection was made to. */
    Uuid topicId() {
        return topicId;
    }

    /** Reads these partitions from there, and wants to open the others. */
    void start(Map<Integer, OffsetAndMetadata> known, int partitions) {
        known.forEach(reader::start);
        opening.want(
                IntStream.range(0, partitions)
                        .filter(partition -> !known.containsKey(partition))
                        .boxed()
                        .toList(),
                Duration.ZERO);
    }

    /** These partitions are not read until they are opened again, and this once it is known that the topic is the same. */
    void lost(Collection<Integer> partitions) {
        reopen(partitions);
        identity.doubt();
    }

    /** These partitions are not read until they are opened again. */
    void reopen(Collection<Integer> partitions) {
        reader.pause(partitions);
        opening.want(partitions, Duration.ZERO);
    }

    /** This partition is not read until it is opened again, after a pause: what comes next may be corrupt too. */
    void corrupt(int partition) {
        opening.want(Set.of(partition), LogOpening.SHORTEST_PAUSE);
    }

    /** The brokers have said that there is no such topic. */
    void suspect() {
        identity.suspect();
    }

    /** How long {@link #open} has nothing to do, unless it is notified; not negative. */
    Duration timeUntilOpening() {
        if (identity.isInDoubt()) {
            return DOUBT_POLL;
        }
        Duration left = clock.time().until(opening.askAt());
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** The partitions that could not be opened for so long. */
    Set<Integer> closedFor(Duration time) {
        return opening.closedFor(time);
    }

    /**
     * Opens the partitions that are known to be reachable by now, and goes on asking for the others. Never waits.
     *
     * @return what was opened
     * @throws LogReplacedException if the topic is another; also detected where nothing was lost
     */
    Map<Integer, Input.LogOpened> open(LogPositions positions) {
        if (!identity.check()) {
            return Map.of();
        }
        opening.ask();
        Map<Integer, Input.LogOpened> opened = new HashMap<>();
        for (LogOpening.Bounds log : opening.takeAnswers()) {
            Input.LogOpened input = positions.open(log);
            reader.start(log.partition(), new OffsetAndMetadata(input.start()));
            opened.put(log.partition(), input);
        }
        return opened;
    }

    @Override
    @SuppressWarnings("ResultOfMethodCallIgnored")
    public void close() {
        Thread.interrupted(); // it has ended the connection, and must not interrupt the close
        close(reader, writer, admin);
    }
}
