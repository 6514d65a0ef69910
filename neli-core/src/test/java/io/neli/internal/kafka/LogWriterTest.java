package io.neli.internal.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.Records;
import io.neli.internal.shell.ShellSettings;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LogWriterTest {

    private static final LogId LOG = new LogId(0, 0);
    private static final MemberId SELF = new MemberId("self", new UUID(1, 2));
    private static final Cluster CLUSTER = Cluster.empty()
            .withPartitions(
                    Map.of(new TopicPartition("group.neli", 0), new PartitionInfo("group.neli", 0, null, null, null)));

    /** Refuses records on the caller's thread while it has no metadata, like Kafka's with max.block.ms=0. */
    private static final class ForgetfulProducer extends MockProducer<byte[], byte[]> {
        private int refusals;

        ForgetfulProducer() {
            super(CLUSTER, false, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> message, Callback callback) {
            if (refusals > 0) {
                refusals--;
                TimeoutException refusal = new TimeoutException("Topic topic not present in metadata after 0 ms.");
                callback.onCompletion(null, refusal);
                return CompletableFuture.failedFuture(refusal);
            }
            return super.send(message, callback);
        }
    }

    private final ForgetfulProducer producer = new ForgetfulProducer();
    private Supplier<Producer<byte[], byte[]>> creation = () -> producer;
    private final AtomicLong millis = new AtomicLong();
    private final ShellSettings settings =
            Settings.withQuorum(Settings.offline(Map.of()), 1, 3).shell();

    private final LogWriter writer = new LogWriter(
            () -> creation.get(),
            settings,
            new KafkaRecords(settings),
            () -> new Moment(new MonotonicTime(Duration.ofMillis(millis.get()).toNanos()), 0));

    private static LogRecord bid(long term) {
        return Records.bid(SELF, term);
    }

    @Test
    void a_record_that_failed_later_may_be_in_the_log_and_is_not_sent_again() {
        writer.append(LOG, bid(7), 5);
        TimeoutException expired = new TimeoutException("Expiring 1 record(s)");

        CompletableFuture.runAsync(() -> producer.errorNext(expired)).join(); // the client does so on its own thread

        assertThat(writer.nextOutcome()).isEqualTo(new LogWriter.Outcome(LOG, -1, 5, expired));
        assertThat(writer.retry()).isFalse();
        assertThat(producer.history()).hasSize(1);
    }

    @Test
    void a_record_that_could_not_be_handed_over_is_handed_over_again() {
        producer.refusals = 3;
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
        producer.refusals = 1;
        writer.append(LOG, bid(7), 5);
        millis.addAndGet(Settings.LEASE.toMillis());
        assertThat(writer.retry()).isFalse();
        assertThat(producer.history()).isEmpty();
    }

    @Test
    void nothing_more_is_handed_over_for_a_log_that_is_lost() {
        LogId other = new LogId(0, 1);
        producer.refusals = 2;
        writer.append(LOG, bid(7), 5);
        writer.append(other, bid(8), 6);
        writer.drop(Set.of(LOG));
        assertThat(writer.retry()).isFalse();
        assertThat(producer.history()).extracting(ProducerRecord::topic).containsExactly("group.neli.1");
    }

    /** For example, for a topic that is gone: retries every few milliseconds would use a large part of a core. */
    @Test
    void the_older_a_record_is_the_longer_are_the_pauses_between_tries() {
        producer.refusals = 1;
        writer.append(LOG, bid(7), 5);
        assertThat(writer.retryPause()).isEqualTo(Duration.ofMillis(5));
        millis.addAndGet(400);
        assertThat(writer.retryPause()).isEqualTo(Duration.ofMillis(50));
        millis.addAndGet(10_000);
        assertThat(writer.retryPause()).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void a_producer_that_cannot_be_created_or_throws_is_a_failure_like_any_other() {
        KafkaException failure = new KafkaException("meant to fail");
        creation = () -> {
            throw failure;
        };
        writer.append(LOG, bid(6), 5);
        assertThat(writer.nextOutcome()).isEqualTo(new LogWriter.Outcome(LOG, -1, 5, failure));
        writer.close(); // although there is none

        creation = () -> producer;
        producer.sendException = failure;
        writer.append(LOG, bid(7), 5);
        assertThat(writer.nextOutcome()).isEqualTo(new LogWriter.Outcome(LOG, -1, 5, failure));

        producer.close();
        producer.sendException = null;
        writer.append(LOG, bid(8), 5);
        assertThat(writer.nextOutcome()).isNotNull().satisfies(outcome -> assertThat(outcome.failure())
                .isInstanceOf(IllegalStateException.class));
        assertThat(writer.retry()).isFalse();
    }

    /** A member that closes while it connects interrupts the thread that does. */
    @Test
    void a_thread_that_is_interrupted_closes_the_client_with_its_thread() {
        creation = () -> new KafkaClients(Settings.offline(Map.of())).writer();
        writer.start();
        Thread.currentThread().interrupt();
        writer.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().endsWith("-out"));
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
        producer.partitionsForException = new TimeoutException("meant to fail");
        assertThat(writer.isReady(0)).isFalse();
        producer.partitionsForException = null;
        assertThat(writer.isReady(0)).isTrue();
    }
}
