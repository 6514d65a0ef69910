package io.neli.internal.kafka;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.Records;
import io.neli.internal.shell.ShellSettings;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LogWriterTest {

    private static final LogId LOG = new LogId(0, 0);
    private static final MemberId SELF = new MemberId("self", new UUID(1, 2));

    /** Refuses records on the caller's thread while it has no metadata, like Kafka's with max.block.ms=0. */
    private static final class ForgetfulProducer extends MockProducer<byte[], byte[]> {
        private final Deque<RuntimeException> refusals = new ArrayDeque<>();
        private int sends;

        ForgetfulProducer() {
            super(false, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> message, Callback callback) {
            sends++;
            RuntimeException refusal = refusals.poll();
            if (refusal != null) {
                callback.onCompletion(null, refusal);
                return CompletableFuture.failedFuture(refusal);
            }
            return super.send(message, callback);
        }

        @Override
        public List<PartitionInfo> partitionsFor(String topic) {
            RuntimeException refusal = refusals.poll();
            if (refusal != null) {
                throw refusal;
            }
            return List.of(new PartitionInfo(topic, 0, null, null, null));
        }
    }

    private final ForgetfulProducer producer = new ForgetfulProducer();
    private final AtomicLong millis = new AtomicLong();
    private final ShellSettings settings =
            Settings.withQuorum(Settings.offline(Map.of()), 1, 3).shell();

    private final LogWriter writer = new LogWriter(
            producer,
            settings,
            new KafkaRecords(settings),
            () -> new Moment(new MonotonicTime(Duration.ofMillis(millis.get()).toNanos()), 0));

    private static LogRecord bid(long term) {
        return Records.bid(SELF, term);
    }

    private static TimeoutException noMetadata() {
        return new TimeoutException("Topic topic not present in metadata after 0 ms.");
    }

    @Test
    void a_record_that_failed_later_may_be_in_the_log_and_is_not_sent_again() {
        writer.append(LOG, bid(7), 5);
        TimeoutException expired = new TimeoutException("Expiring 1 record(s)");

        CompletableFuture.runAsync(() -> producer.errorNext(expired)).join(); // the client does so on its own thread

        assertThat(writer.nextOutcome()).isEqualTo(new LogWriter.Outcome(LOG, -1, 5, expired));
        assertThat(writer.retry()).isFalse();
        assertThat(producer.sends).isEqualTo(1);
    }

    @Test
    void a_record_that_could_not_be_handed_over_is_handed_over_again() {
        producer.refusals.add(noMetadata());
        producer.refusals.add(noMetadata());
        producer.refusals.add(noMetadata());
        writer.append(LOG, bid(7), 5);
        writer.append(LOG, bid(8), 6);
        assertThat(producer.history()).isEmpty();

        assertThat(writer.retry()).as("one is left").isTrue();
        assertThat(writer.retry()).isFalse();

        assertThat(producer.history())
                .extracting(sent -> new String(sent.headers().lastHeader("term").value()))
                .containsExactly("8", "7");
        assertThat(writer.nextOutcome()).isNotNull().satisfies(outcome -> assertThat(outcome.failure())
                .isInstanceOf(TimeoutException.class));
    }

    @Test
    void a_record_that_is_older_than_a_lease_is_given_up() {
        producer.refusals.add(noMetadata());
        writer.append(LOG, bid(7), 5);
        millis.addAndGet(Settings.LEASE.toMillis());
        assertThat(writer.retry()).isFalse();
        assertThat(producer.sends).isEqualTo(1);
    }

    @Test
    void nothing_more_is_handed_over_for_a_log_that_is_lost() {
        LogId other = new LogId(0, 1);
        producer.refusals.add(noMetadata());
        producer.refusals.add(noMetadata());
        writer.append(LOG, bid(7), 5);
        writer.append(other, bid(8), 6);
        writer.drop(Set.of(LOG));
        assertThat(writer.retry()).isFalse();
        assertThat(producer.history()).extracting(ProducerRecord::topic).containsExactly("group.neli.1");
    }

    /** For example, for a topic that is gone: retries every few milliseconds would use a large part of a core. */
    @Test
    void the_older_a_record_is_the_longer_are_the_pauses_between_tries() {
        producer.refusals.add(noMetadata());
        writer.append(LOG, bid(7), 5);
        assertThat(writer.retryPause()).isEqualTo(Duration.ofMillis(5));
        millis.addAndGet(400);
        assertThat(writer.retryPause()).isEqualTo(Duration.ofMillis(50));
        millis.addAndGet(10_000);
        assertThat(writer.retryPause()).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void a_producer_that_throws_is_a_failure_like_any_other() {
        producer.sendException = new KafkaException("meant to fail");
        writer.append(LOG, bid(7), 5);
        assertThat(writer.nextOutcome()).isEqualTo(new LogWriter.Outcome(LOG, -1, 5, producer.sendException));

        producer.close();
        producer.sendException = null;
        writer.append(LOG, bid(8), 5);
        assertThat(writer.nextOutcome()).isNotNull().satisfies(outcome -> assertThat(outcome.failure())
                .isInstanceOf(IllegalStateException.class));
        assertThat(writer.retry()).isFalse();
    }

    @Test
    void a_topic_that_is_not_known_is_told_from_other_failures() {
        UnknownTopicOrPartitionException unknown = new UnknownTopicOrPartitionException("meant to fail");
        for (RuntimeException failure : List.of(unknown, new TimeoutException("not present in metadata", unknown))) {
            assertThat(new LogWriter.Outcome(LOG, -1, 5, failure).isUnknownTopic())
                    .isTrue();
        }
        assertThat(new LogWriter.Outcome(LOG, -1, 5, new TimeoutException("expired")).isUnknownTopic())
                .isFalse();
        assertThat(new LogWriter.Outcome(LOG, 7, 5, null).isUnknownTopic()).isFalse();
    }

    @Test
    void a_writer_is_ready_when_it_knows_the_topic() {
        producer.refusals.add(noMetadata());
        assertThat(writer.isReady(0)).isFalse();
        assertThat(writer.isReady(0)).isTrue();
    }
}
