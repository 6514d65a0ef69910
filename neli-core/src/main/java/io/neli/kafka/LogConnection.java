package io.neli.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

import io.neli.protocol.Input;
import io.neli.protocol.RecordCodec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/** The leader topic, open for reading and writing; gone for good when it fails. Belongs to one thread. */
final class LogConnection implements AutoCloseable {

    private static final Duration WARM_UP_LIMIT = Duration.ofSeconds(5);
    private static final long WARM_UP_PAUSE_MILLIS = 2;
    /** Not zero: the client takes that for no limit where it joins its thread, which may hang in a look-up of a name. */
    private static final Duration ADMIN_CLOSE_LIMIT = Duration.ofMillis(10);

    private static final long REOPEN_PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    private final MemberSettings settings;
    private final Admin admin;
    private final LogWriter writer;
    private final LogReader reader;
    private final TopicIdentity identity;
    private final Duration patience;
    private final Set<Integer> lost = new TreeSet<>();
    private long reopenedNanos;
    private long lostNanos;

    private LogConnection(
            MemberSettings settings,
            Duration patience,
            Admin admin,
            TopicIdentity identity,
            LogWriter writer,
            LogReader reader) {
        this.settings = settings;
        this.patience = patience;
        this.admin = admin;
        this.identity = identity;
        this.writer = writer;
        this.reader = reader;
    }

    /** Connects; every step has a limit. */
    static LogConnection connect(
            MemberSettings settings, LeaderTopic leaderTopic, ClientProperties properties, KafkaClients clients)
            throws InterruptedException {
        @Nullable Admin admin = clients.admin(properties.admin());
        @Nullable LogWriter writer = null;
        @Nullable LogReader reader = null;
        try {
            RecordCodec codec = new RecordCodec(settings.groupId());
            Uuid topicId;
            Admin asked = admin;
            // To make the clients takes about as long, and they may not ask for a topic that is not there: that creates
            // it.
            try (Beside<Uuid> topic =
                    Beside.start("neli-" + settings.memberName() + "-topic", () -> leaderTopic.ensure(asked))) {
                writer = new LogWriter(
                        clients.producer(properties.writer()),
                        settings.topic(),
                        codec,
                        settings.election().lease());
                reader = new LogReader(
                        clients.consumer(properties.reader()), settings.topic(), settings.partitions(), codec);
                topicId = topic.await();
            }
            TopicIdentity identity = new TopicIdentity(
                    settings.topic(), topicId, settings.election().lease(), () -> leaderTopic.id(asked));
            LogConnection connection =
                    new LogConnection(settings, properties.patience(), admin, identity, writer, reader);
            admin = null;
            writer = null;
            reader = null;
            return connection;
        } finally { // an Error leaves no client behind either
            close(reader, writer, admin);
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
                    admin.close(ADMIN_CLOSE_LIMIT); // not longer: nobody wants the answers under way any more
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

    /** Begins to read all partitions. Returns when records can be read and written. */
    Map<Integer, Input.LogOpened> open() throws InterruptedException {
        boolean writable = writer.isReady(); // if not, it asks for metadata while the reader does
        Map<Integer, Input.LogOpened> opened =
                reader.open(IntStream.range(0, settings.partitions()).boxed().toList(), patience);
        long start = System.nanoTime();
        while (!writable) {
            if (System.nanoTime() - start > WARM_UP_LIMIT.toNanos()) {
                throw new TimeoutException(
                        "no metadata of the leader topic within " + WARM_UP_LIMIT.toSeconds() + " s");
            }
            Thread.sleep(WARM_UP_PAUSE_MILLIS);
            writable = writer.isReady();
        }
        return opened;
    }

    /** Those partitions are not read any more, until they can be opened anew. */
    void lost(Collection<Integer> partitions) {
        if (lost.isEmpty()) {
            lostNanos = System.nanoTime();
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

    /** What has been lost for longer than is to be expected. */
    Set<Integer> lostForLong() {
        boolean forLong =
                System.nanoTime() - lostNanos > settings.election().lease().toNanos();
        return forLong ? Set.copyOf(lost) : Set.of();
    }

    /**
     * Opens anew what was lost, once it is known that the topic is the same. Without much waiting: other partitions are led
     * meanwhile.
     *
     * @return what was opened
     * @throws LogReplacedException if the topic is another; found out in time also if nothing was lost
     */
    Map<Integer, Input.LogOpened> reopenLost() {
        if (!identity.check() || lost.isEmpty() || System.nanoTime() - reopenedNanos < REOPEN_PAUSE_NANOS) {
            return Map.of();
        }
        reopenedNanos = System.nanoTime();
        try {
            Map<Integer, Input.LogOpened> opened =
                    reader.open(lost, settings.election().lease().dividedBy(8));
            lost.clear();
            return opened;
        } catch (TimeoutException | WakeupException e) {
            return Map.of();
        }
    }

    @Override
    @SuppressWarnings("ResultOfMethodCallIgnored")
    public void close() {
        Thread.interrupted(); // it was meant for what is closed here, and must not cut that short
        close(reader, writer, admin);
    }
}
