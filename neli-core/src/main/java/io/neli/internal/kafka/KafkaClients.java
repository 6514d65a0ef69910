package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Map;

import io.neli.internal.shell.DaemonThread;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;

/**
 * Creates and closes a member's Kafka clients. Kafka loads classes by name with the context class loader, so the
 * calling thread's must know them, like that of each {@link DaemonThread}. Tests substitute other clients.
 */
class KafkaClients {

    /** Not zero: the client would wait for its thread without a limit, and that thread may hang in a DNS lookup. */
    private static final Duration CLOSE_LIMIT = Duration.ofMillis(10);

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

    /** Closes without waiting, because there is nothing to lose. The client would log an interrupt as an error. */
    static void close(Consumer<?, ?> consumer) {
        DaemonThread.uninterrupted(() -> consumer.close(CloseOptions.timeout(Duration.ZERO)));
    }
}
