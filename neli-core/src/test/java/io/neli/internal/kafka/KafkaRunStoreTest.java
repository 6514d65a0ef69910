package io.neli.internal.kafka;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;

import io.neli.internal.runs.RunKey;
import io.neli.internal.runs.RunRecord;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.UnusableLogException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.DescribeConfigsResult;
import org.apache.kafka.clients.admin.MockAdminClient;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class KafkaRunStoreTest {

    private static final Node BROKER = new Node(0, "localhost", 1);
    private static final RunKey KEY = new RunKey("job", 1, 0);
    private static final RunRecord RECORD =
            new RunRecord("job", Instant.EPOCH, null, null, false, "daily", "member", 1);

    /** Fails as if the name of the servers could not be resolved. */
    private final KafkaRunStore store = new KafkaRunStore(
            Settings.offline(Map.of()), MemberClock.system(), new KafkaClients(Settings.offline(Map.of())) {
                @Override
                Producer<byte[], byte[]> runsWriter(Duration limit) {
                    throw new KafkaException("meant to fail");
                }

                @Override
                Admin admin() {
                    throw new KafkaException("meant to fail");
                }
            });

    /** What was sent and not answered, the earliest first. */
    private final Deque<Callback> sent = new ArrayDeque<>();

    private java.util.function.Consumer<Callback> onSend = sent::add;

    private final KafkaRunStore answered = answered(Settings.offline(Map.of()));

    private final List<Duration> adminCloses = new ArrayList<>();

    /** How often the brokers do not know the topic although it was created. */
    private int unknown;

    /** Writes to brokers whose answers the test gives, and reads an empty topic. */
    private KafkaRunStore answered(KafkaSettings settings) {
        return new KafkaRunStore(settings, MemberClock.system(), new KafkaClients(settings) {
            @Override
            Producer<byte[], byte[]> runsWriter(Duration limit) {
                assertThat(unknown).isZero();
                return producer();
            }

            @Override
            Consumer<byte[], byte[]> reader(String purpose) {
                MockConsumer<byte[], byte[]> empty = new MockConsumer<>("none");
                empty.updateBeginningOffsets(Map.of(new TopicPartition("group.neli.runs", 0), 0L));
                return empty;
            }

            @Override
            Admin admin() {
                return new MockAdminClient(List.of(BROKER), BROKER) {
                    @Override
                    public synchronized DescribeConfigsResult describeConfigs(
                            Collection<ConfigResource> resources, DescribeConfigsOptions options) {
                        if (unknown > 0) {
                            unknown--;
                            throw new UnknownTopicOrPartitionException("not yet");
                        }
                        return super.describeConfigs(resources, options);
                    }

                    @Override
                    public void close(Duration limit) {
                        adminCloses.add(limit);
                    }
                };
            }
        });
    }

    private CompletableFuture<?> write() throws InterruptedException {
        return answered.write(KEY, RECORD).toCompletableFuture();
    }

    /** Never answers by itself. */
    private Producer<byte[], byte[]> producer() {
        return new MockProducer<>(Cluster.empty(), false, null, new ByteArraySerializer(), new ByteArraySerializer()) {
            @Override
            public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
                onSend.accept(callback);
                return new CompletableFuture<>();
            }

            @Override
            public void close(Duration limit) {
                sent.forEach(each -> each.onCompletion(null, new KafkaException("closed forcefully")));
                throw new KafkaException("its close has failed");
            }
        };
    }

    private static void answer(Callback one, long offset) {
        one.onCompletion(new RecordMetadata(new TopicPartition("group.neli.runs", 0), offset, 0, 0, 0, 0), null);
    }

    private void answerNext(long offset) {
        answer(sent.remove(), offset);
    }

    /** As after a retry: the second of two records may be answered before it, and its offset may be forgotten. */
    @Test
    void answers_in_another_order_or_without_an_offset_are_no_sign_of_another_topic() throws InterruptedException {
        List<CompletableFuture<?>> writes = List.of(write(), write(), write(), write());
        answerNext(7);
        answer(sent.removeLast(), 10);
        answerNext(8);
        answerNext(-1);
        assertThat(writes).allSatisfy(each -> assertThat(each).isCompleted());

        CompletableFuture<?> next = write();
        answerNext(11);
        assertThat(next).isCompleted();
    }

    /** Nobody waits for the answer to a deletion. */
    @Test
    void a_topic_that_was_created_again_is_noticed_even_if_a_deletion_is_its_first_record()
            throws InterruptedException {
        CompletableFuture<?> before = write();
        answerNext(7);
        assertThat(before).isCompleted();
        answered.forget(List.of(KEY));
        answerNext(0);

        CompletableFuture<?> write = write();
        answerNext(1);
        assertThatThrownBy(write::join)
                .hasRootCauseInstanceOf(UnusableLogException.class)
                .hasMessageContaining("was created again");

        CompletableFuture<?> again = write();
        answerNext(2);
        assertThat(again).isCompleted();
    }

    @Test
    void only_what_was_not_sent_fails_for_the_reason_that_closes_the_producer() throws InterruptedException {
        CompletableFuture<?> other = write();
        RuntimeException reason = new TimeoutException("meant to fail");
        assertThatThrownBy(() -> answered.describe(reason)).hasMessage("its close has failed");
        assertThatThrownBy(other::join).hasRootCause(reason);
        CompletableFuture<?> next = write();
        sent.removeLast().onCompletion(null, new KafkaException("another reason"));
        assertThatThrownBy(next::join).hasRootCauseMessage("another reason");
    }

    /** An exception would keep the job from its other tasks. */
    @Test
    void a_producer_that_cannot_be_made_to_delete_records_stops_no_job() {
        assertThatCode(() -> store.forget(List.of(KEY))).doesNotThrowAnyException();
    }

    /** As after a retry. What was read would be nothing, and each job new. */
    @Test
    void a_mark_whose_offset_is_not_known_fails_the_reading() {
        onSend = callback -> answer(callback, -1);
        assertThatThrownBy(answered::read).isInstanceOf(TimeoutException.class).hasMessageContaining("is not known");
    }

    /** The producer would log a warning. */
    @Test
    void a_topic_that_was_created_is_not_used_before_the_brokers_know_it() throws InterruptedException {
        unknown = 2;
        answered.prepare();
    }

    /** Without small segments, each leader would read up to a gigabyte that is not compacted. */
    @Test
    void a_topic_that_is_to_be_created_needs_small_segments_too() {
        KafkaRunStore strict = answered(Settings.withoutCreation(Settings.offline(Map.of())));
        assertThatThrownBy(strict::prepare).isInstanceOfSatisfying(UnusableLogException.class, failure -> assertThat(
                        failure.problem().text())
                .contains("cleanup.policy=compact,segment.bytes=1048576"));
    }

    /** By default, brokers accept no record from more than an hour ahead of them. */
    @Test
    void a_clock_that_the_brokers_do_not_accept_is_named_and_stays_one_problem() {
        Problem first = store.describe(new InvalidTimestampException("Timestamp 1795720247626 is out of range"));
        assertThat(first.text()).contains("clock", "set the clocks to the right time");
        assertThat(store.describe(new InvalidTimestampException("Timestamp 1795720252626 is out of range")))
                .isEqualTo(first);
    }

    /** With too few, the producer retries, and its failure names only the time that has passed. */
    @Test
    void an_expired_record_points_to_the_in_sync_replicas() {
        assertThat(store.describe(new TimeoutException("meant to fail")).text()).contains("enough in-sync replicas");
    }

    /** The election may still use connections that are older than a new password. */
    @Test
    void a_wrong_password_is_named_with_its_setting() {
        Problem named = store.describe(new SaslAuthenticationException("meant to fail"));
        assertThat(named.text()).contains("meant to fail", "sasl.jaas.config");
    }

    /** A thread may close the election after an interrupt, and then everything after the store must be closed too. */
    @Test
    void a_thread_that_is_interrupted_closes_it_and_stays_interrupted() {
        KafkaRunStore connected = new KafkaRunStore(Settings.offline(Map.of()), MemberClock.system());
        Thread.currentThread().interrupt();
        connected.forget(List.of(KEY)); // creates a producer, and does not wait for the servers
        assertThatCode(connected::close).doesNotThrowAnyException();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().endsWith("runs-out")); // else its meters would stay
    }

    /** Its close would log the interrupt as an error. */
    @Test
    void a_consumer_that_a_thread_closes_after_an_interrupt_does_not_see_it() {
        AtomicReference<Boolean> seen = new AtomicReference<>();
        Thread.currentThread().interrupt();
        KafkaClients.close(new MockConsumer<byte[], byte[]>("none") {
            @Override
            public synchronized void close(CloseOptions options) {
                seen.set(Thread.currentThread().isInterrupted());
            }
        });
        assertThat(Thread.interrupted()).isTrue();
        assertThat(seen).hasValue(false);
    }

    /** The servers may not answer, and the close of the member waits for the thread that asks. */
    @Test
    void the_close_of_an_admin_client_does_not_wait_for_the_answers_that_are_due() throws InterruptedException {
        answered.prepare();
        assertThat(adminCloses).hasSize(1).allMatch(limit -> limit.toSeconds() < 1);
    }
}
