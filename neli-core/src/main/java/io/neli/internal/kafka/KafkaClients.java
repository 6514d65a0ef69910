package io.neli.internal.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.neli.internal.shell.DaemonThread;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates a member's Kafka clients, and waits for the admin client's answers. Kafka loads classes by name with the
 * context class loader, so the calling thread's must know them, like that of each {@link DaemonThread}. Tests
 * substitute other clients.
 */
class KafkaClients {

    private static final Logger log = LoggerFactory.getLogger(KafkaClients.class);

    /** Longer than the admin client retries a request. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(7);

    /** Not zero: the client would wait for its thread without a limit, and that thread may hang in a DNS lookup. */
    private static final Duration CLOSE_LIMIT = Duration.ofMillis(10);

    /** A topic that one broker has described may be unknown to another for a moment. */
    static final int APPEARANCE_TRIES = 100;

    static final long APPEARANCE_PAUSE_MILLIS = 20;

    private final ClientProperties properties;

    KafkaClients(KafkaSettings settings) {
        this.properties = new ClientProperties(settings);
    }

    Admin admin() {
        return Admin.create(properties.admin());
    }

    /** A consumer without a group. */
    Consumer<byte[], byte[]> reader(String purpose) {
        return new KafkaConsumer<>(properties.reader(purpose));
    }

    Consumer<byte[], byte[]> group(NeliAssignor.Delegate delegate) {
        Map<String, Object> group = properties.group();
        group.put(NeliAssignor.DELEGATE, delegate);
        return new KafkaConsumer<>(group);
    }

    Producer<byte[], byte[]> writer() {
        return new KafkaProducer<>(properties.writer());
    }

    Producer<byte[], byte[]> runsWriter(Duration limit) {
        return new KafkaProducer<>(properties.runsWriter(limit));
    }

    /** Does not wait for the answers that are due: nobody needs them. */
    static void close(Admin admin) {
        admin.close(CLOSE_LIMIT);
    }

    /** Waits for the brokers' answer to an admin request; throws the cause if it fails. */
    static <T> T answer(@Nullable Future<T> asked) throws InterruptedException {
        return answer(Objects.requireNonNull(asked, "not asked for"), ANSWER_LIMIT);
    }

    static <T> T answer(Future<T> asked, Duration limit) throws InterruptedException {
        try {
            return asked.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new org.apache.kafka.common.errors.TimeoutException(
                    "no answer within " + limit.toSeconds() + " s", e);
        }
    }

    /** Closes without waiting, because there is nothing to lose. The client would log an interrupt as an error. */
    static void close(Consumer<?, ?> consumer) {
        DaemonThread.uninterrupted(() -> consumer.close(CloseOptions.timeout(Duration.ZERO)));
    }

    /** The configuration of an existing topic; null if this member may not read it. */
    static @Nullable Config config(Admin admin, String topic) throws InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        for (int tries = 1; ; tries++) {
            try {
                return answer(admin.describeConfigs(List.of(resource)).values().get(resource));
            } catch (AuthorizationException e) {
                log.debug("Not allowed to read the configuration of {}: it is not checked", topic);
                return null;
            } catch (UnknownTopicOrPartitionException e) {
                if (tries == APPEARANCE_TRIES) {
                    throw e;
                }
                Thread.sleep(APPEARANCE_PAUSE_MILLIS);
            }
        }
    }

    /** Returns true if this call created the topic, false if the topic existed already. */
    static boolean create(Admin admin, NewTopic topic) throws InterruptedException {
        try {
            answer(admin.createTopics(List.of(topic)).all());
            return true;
        } catch (TopicExistsException e) {
            log.debug("Another member has created {}", topic.name());
            return false;
        }
    }
}
