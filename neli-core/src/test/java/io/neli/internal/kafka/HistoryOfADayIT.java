package io.neli.internal.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.LeaderTerm.End;
import io.neli.TestServers;
import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.LogRecord.Grant;
import io.neli.internal.election.LogRecord.Sender;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.PartitionConfig;
import io.neli.internal.election.PastTerm;
import io.neli.internal.shell.MemberClock;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A day at the default interval with a thousand terms, which is the largest possible number of records. */
@Tag("proof")
class HistoryOfADayIT {

    private static final int TERMS = 1_000;
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final long INTERVAL = 500;

    private final KafkaSettings settings =
            Settings.onSharedBroker(TestServers.unusedName("history-of-a-day"), "reader");
    private final KafkaRecords kafkaRecords = new KafkaRecords(settings.shell());
    private final AtomicInteger failures = new AtomicInteger();
    private long offset;
    private long millis;

    @Test
    void it_is_read_as_it_was_written() throws Exception {
        Brokers broker = Brokers.shared();
        String topic = settings.shell().topic();
        // Records have the times of the simulated day, and none is deleted because of its age.
        broker.create(topic, 1, Map.of("message.timestamp.type", "CreateTime", "retention.ms", "-1"));
        millis = Instant.now().minus(DAY).toEpochMilli();
        long begun = millis;
        List<PastTerm> written = write();

        assertThat(new KafkaHistory(settings, MemberClock.system()).read(0, begun))
                .containsExactlyElementsOf(written);
    }

    private List<PastTerm> write() {
        kafkaRecords.setCluster(Brokers.shared().clusterId());
        List<PastTerm> terms = new ArrayList<>();
        try (Producer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", Brokers.shared().bootstrapServers(), "linger.ms", 5),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            long length = DAY.toMillis() / TERMS;
            for (int number = 0; number < TERMS; number++) {
                terms.add(write(producer, number, millis + length));
            }
        }
        assertThat(failures).hasValue(0);
        return terms;
    }

    /** Writes a term of one of three members in turn. */
    private PastTerm write(Producer<byte[], byte[]> producer, int number, long until) {
        MemberId member = new MemberId("member-" + number % 3, new UUID(1, number % 3));
        Sender sender = new Sender(member, 1_000 + number, LEASE);
        long term = offset + 1;
        append(producer, new LogRecord.Bid(sender, number == 0 ? -1 : offset - 1));
        append(producer, new LogRecord.Claim(sender, grant(number)));
        millis += 10;
        long acquired = millis;
        for (long sequence = 0; millis < until - INTERVAL; sequence++) {
            append(producer, new LogRecord.Heartbeat(sender, grant(sequence), term, true, offset, null));
            millis += INTERVAL;
        }
        append(producer, new LogRecord.Resign(sender, term, null));
        PastTerm written = new PastTerm(1_000 + number, member, Map.of(), acquired, millis, End.HANDED_OVER);
        millis += 10;
        return written;
    }

    private static Grant grant(long sequence) {
        return new Grant(sequence, LEASE, new PartitionConfig("exclusive", "default"), Map.of());
    }

    private void append(Producer<byte[], byte[]> producer, LogRecord record) {
        ProducerRecord<byte[], byte[]> now = kafkaRecords.encode(new LogId(0, 0), record);
        var unused = producer.send(
                new ProducerRecord<>(now.topic(), now.partition(), millis, now.key(), null, now.headers()),
                (stored, failure) -> failures.addAndGet(failure == null ? 0 : 1));
        offset++;
    }
}
