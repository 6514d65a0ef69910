package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.neli.internal.kafka.TestBroker;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** Foreign consumers in the consumer group, and other groups. */
class GroupSharingIT {

    private final String group = TestServers.unusedName("sharing");

    /** A consumer of the application that joins our group with Kafka's default assignor. */
    private static final class ForeignConsumer {

        private final AtomicBoolean joined = new AtomicBoolean();
        private final KafkaConsumer<byte[], byte[]> consumer;
        private final Thread thread = new Thread(this::poll, "foreign-consumer");

        ForeignConsumer(String group, String topic) {
            consumer = new KafkaConsumer<>(
                    Map.of("bootstrap.servers", TestBroker.shared().bootstrapServers(), "group.id", group),
                    new ByteArrayDeserializer(),
                    new ByteArrayDeserializer());
            consumer.subscribe(List.of(topic));
            thread.start();
        }

        private void poll() {
            try (consumer) {
                while (true) {
                    consumer.poll(Duration.ofMillis(100));
                    joined.set(joined.get() || !consumer.assignment().isEmpty());
                }
            } catch (WakeupException e) {
                // closed
            }
        }

        void leave() {
            consumer.wakeup();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Tag("proof")
    @Test
    void a_consumer_of_the_application_in_the_group_is_a_problem_and_no_hindrance() {
        TestBroker.shared().create(group + ".own", 1, Map.of());
        ForeignConsumer foreign = new ForeignConsumer(group + ".neli", group + ".own");
        try {
            eventually().untilTrue(foreign.joined);
            try (TestMember first = TestMember.startLeader(group, "first");
                    TestMember second = TestMember.startStandby(group, "second")) {
                for (TestMember member : List.of(first, second)) {
                    member.awaitProblem("use its consumer group '" + group + ".neli'", "set neli.group-id to a name");
                    member.awaitRunning();
                }
                // The problem remains as long as its cause, through further attempts to join.
                long attempts = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
                eventually()
                        .failFast(() -> first.neli.snapshot().problem().isEmpty())
                        .until(() -> System.nanoTime() > attempts);

                first.neli.close();
                second.awaitLead();

                foreign.leave();
                eventually()
                        .untilAsserted(() -> assertThat(second.neli.snapshot().groupMembers())
                                .isEqualTo(1));
                second.awaitNoProblem();
            }
        } finally {
            foreign.leave();
        }
    }
}
