package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/** Creates Kafka's clients; tests substitute others. */
class KafkaClients {

    /** Longer than an administrator's client keeps asking. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(7);

    Admin admin(Map<String, Object> properties) {
        return Admin.create(properties);
    }

    Consumer<byte[], byte[]> consumer(Map<String, Object> properties) {
        return new KafkaConsumer<>(properties);
    }

    Producer<byte[], byte[]> producer(Map<String, Object> properties) {
        return new KafkaProducer<>(properties);
    }

    /** What the brokers answer to an administrator; throws what has prevented the answer. */
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
}
