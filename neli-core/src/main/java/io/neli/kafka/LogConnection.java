package io.neli.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import io.neli.protocol.Input;
import io.neli.protocol.RecordCodec;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The leader topic, open for reading and writing; gone for good when it fails. Belongs to one thread. */
final class LogConnection implements AutoCloseable {

    private static final Duration WARM_UP_LIMIT = Duration.ofSeconds(5);
    private static final long WARM_UP_PAUSE_MILLIS = 2;

    private final LeaderTopic leaderTopic;
    private final String topic;
    private final Uuid topicId;
    private final LogWriter writer;
    private final LogReader reader;

    private LogConnection(LeaderTopic leaderTopic, String topic, Uuid topicId, LogWriter writer, LogReader reader) {
        this.leaderTopic = leaderTopic;
        this.topic = topic;
        this.topicId = topicId;
        this.writer = writer;
        this.reader = reader;
    }

    /** Connects; every step has a limit. Returns when records can be read and written. */
    static LogConnection connect(
            MemberSettings settings, LeaderTopic leaderTopic, ClientProperties properties, KafkaClients clients)
            throws InterruptedException {
        Uuid topicId = leaderTopic.ensure();
        RecordCodec codec = new RecordCodec(settings.groupId());
        @Nullable
        LogWriter writer = new LogWriter(
                clients.producer(properties.writer()),
                settings.topic(),
                codec,
                settings.election().lease());
        @Nullable LogReader reader = null;
        try {
            reader = new LogReader(
                    clients.consumer(properties.reader()), settings.topic(), settings.partitions(), codec);
            warmUp(writer);
            LogConnection connection = new LogConnection(leaderTopic, settings.topic(), topicId, writer, reader);
            reader = null;
            writer = null;
            return connection;
        } finally { // an Error leaves no client behind either
            close(reader, writer);
        }
    }

    private static void close(@Nullable LogReader reader, @Nullable LogWriter writer) {
        try {
            if (reader != null) {
                reader.close();
            }
        } finally {
            if (writer != null) {
                writer.close();
            }
        }
    }

    private static void warmUp(LogWriter writer) throws InterruptedException {
        long start = System.nanoTime();
        while (!writer.isReady()) {
            if (System.nanoTime() - start > WARM_UP_LIMIT.toNanos()) {
                throw new TimeoutException(
                        "no metadata of the leader topic within " + WARM_UP_LIMIT.toSeconds() + " s");
            }
            Thread.sleep(WARM_UP_PAUSE_MILLIS);
        }
    }

    LogReader reader() {
        return reader;
    }

    LogWriter writer() {
        return writer;
    }

    Map<Integer, Input.LogOpened> openAll(int partitions) {
        return reader.open(IntStream.range(0, partitions).boxed().toList());
    }

    /** Reads partitions anew after a gap. */
    Map<Integer, Input.LogOpened> reopen(Collection<Integer> partitions) throws InterruptedException {
        Optional<Uuid> id = leaderTopic.id();
        if (id.isEmpty() || !id.get().equals(topicId)) {
            throw new LogReplacedException(
                    "neli.topic is '" + topic + "': it was deleted" + (id.isEmpty() ? "" : " and created anew"));
        }
        return reader.open(partitions);
    }

    @Override
    @SuppressWarnings("ResultOfMethodCallIgnored")
    public void close() {
        Thread.interrupted(); // it was meant for what is closed here, and must not cut that short
        close(reader, writer);
    }

    /** What was the log is gone: everything known of it is void. */
    static final class LogReplacedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        LogReplacedException(String message) {
            super(message);
        }
    }
}
