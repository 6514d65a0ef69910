package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.neli.internal.election.Input;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.RecordCodec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/** The leader topic, open for reading and writing. Cannot be reused after a failure. Belongs to one thread. */
final class LogConnection implements AutoCloseable {

    private static final Duration WARM_UP_LIMIT = Duration.ofSeconds(5);
    private static final long WARM_UP_PAUSE_MILLIS = 2;
    /** Not zero: the client would join its thread without a limit, and that may hang in a name lookup. */
    private static final Duration ADMIN_CLOSE_LIMIT = Duration.ofMillis(10);

    private static final Duration REOPEN_PAUSE = Duration.ofMillis(100);
    private static final Duration TOPIC_LIMIT = Duration.ofSeconds(60);
    private static final Duration TOPIC_CLOSE_LIMIT = Duration.ofSeconds(1);

    private final KafkaSettings settings;
    private final MemberClock clock;
    private final Admin admin;
    private final LogWriter writer;
    private final LogReader reader;
    private final TopicIdentity identity;
    private final Duration patience;
    private final Set<Integer> lost = new TreeSet<>();
    private MonotonicTime reopenedAt = MonotonicTime.PAST;
    private MonotonicTime lostAt = MonotonicTime.PAST;

    private LogConnection(
            KafkaSettings settings,
            MemberClock clock,
            Duration patience,
            Admin admin,
            TopicIdentity identity,
            LogWriter writer,
            LogReader reader) {
        this.settings = settings;
        this.clock = clock;
        this.patience = patience;
        this.admin = admin;
        this.identity = identity;
        this.writer = writer;
        this.reader = reader;
    }

    /** Connects; every step has a limit. */
    static LogConnection connect(
            KafkaSettings settings,
            MemberClock clock,
            LeaderTopic leaderTopic,
            ClientProperties properties,
            KafkaClients clients)
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
            LogConnection connection =
                    new LogConnection(settings, clock, properties.patience(), admin, identity, writer, reader);
            admin = null;
            writer = null;
            reader = null;
            return connection;
        } finally { // an Error leaves no client behind either
            close(reader, writer, admin);
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

    /** Begins to read all partitions; returns when records can be read and written. */
    Map<Integer, Input.LogOpened> open() throws InterruptedException {
        boolean writable = writer.isReady(); // if not, metadata is requested while the reader opens
        Map<Integer, Input.LogOpened> opened =
                reader.open(IntStream.range(0, settings.partitions()).boxed().toList(), patience);
        MonotonicTime deadline = clock.time().plus(WARM_UP_LIMIT);
        while (!writable) {
            if (clock.time().hasReached(deadline)) {
                throw new TimeoutException(
                        "no metadata of the leader topic within " + WARM_UP_LIMIT.toSeconds() + " s");
            }
            Thread.sleep(WARM_UP_PAUSE_MILLIS);
            writable = writer.isReady();
        }
        return opened;
    }

    /** These partitions are not read until they can be opened again. */
    void lost(Collection<Integer> partitions) {
        if (lost.isEmpty()) {
            lostAt = clock.time();
        }
        reader.pause(partitions);
        lost.addAll(partitions);
        identity.doubt();
    }

    /** The brokers have said that there is no such topic. */
    void suspect() {
        identity.suspect();
    }

    /** Whether {@link #reopenLost} should be called again soon. */
    boolean isUnsettled() {
        return !lost.isEmpty() || identity.isInDoubt();
    }

    /** The partitions that have been lost for unexpectedly long. */
    Set<Integer> lostForLong() {
        boolean forLong =
                clock.time().hasReached(lostAt.plus(settings.election().leaseDuration()));
        return forLong ? Set.copyOf(lost) : Set.of();
    }

    /**
     * Opens lost partitions again once it is known that the topic is the same. Waits only briefly: other partitions are led
     * meanwhile.
     *
     * @return what was opened
     * @throws LogReplacedException if the topic is another; also detected where nothing was lost
     */
    Map<Integer, Input.LogOpened> reopenLost() {
        if (!identity.check() || lost.isEmpty() || !isTimeToReopen()) {
            return Map.of();
        }
        reopenedAt = clock.time();
        try {
            Map<Integer, Input.LogOpened> opened =
                    reader.open(lost, settings.election().leaseDuration().dividedBy(8));
            lost.clear();
            return opened;
        } catch (TimeoutException | WakeupException e) {
            return Map.of();
        }
    }

    private boolean isTimeToReopen() {
        return clock.time().hasReached(reopenedAt.plus(REOPEN_PAUSE));
    }

    @Override
    @SuppressWarnings("ResultOfMethodCallIgnored")
    public void close() {
        Thread.interrupted(); // it has ended the connection, and must not interrupt the close
        close(reader, writer, admin);
    }
}
