package io.neli.sample.lab.process;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what is in the ledger: only what was committed. Goes on by itself when the broker comes back. */
public final class LedgerReader implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LedgerReader.class);

    private static final Duration END = Duration.ofSeconds(2);

    private final KafkaConsumer<String, String> consumer;
    private final Consumer<String> entries;
    private final Thread thread = new Thread(this::read, "ledger-reader");

    private LedgerReader(KafkaConsumer<String, String> consumer, Consumer<String> entries) {
        this.consumer = consumer;
        this.entries = entries;
        thread.setDaemon(true);
    }

    /**
     * Starts to read.
     *
     * @param topic need not be there yet; its first partition is read, from its beginning
     * @param entries is handed each value, by this reader's own thread
     */
    public static LedgerReader start(String bootstrapServers, String topic, Consumer<String> entries) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "isolation.level",
                "read_committed",
                "auto.offset.reset",
                "earliest",
                "enable.auto.commit",
                false,
                "allow.auto.create.topics",
                false,
                "metadata.max.age.ms",
                5_000);
        KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
        consumer.assign(List.of(new TopicPartition(topic, 0)));
        LedgerReader reader = new LedgerReader(consumer, entries);
        reader.thread.start();
        return reader;
    }

    private void read() {
        try (consumer) {
            while (true) {
                for (ConsumerRecord<String, String> entry : consumer.poll(Duration.ofSeconds(1))) {
                    if (entry.value() != null) { // whoever else may write there
                        entries.accept(entry.value());
                    }
                }
            }
        } catch (WakeupException | InterruptException e) {
            // the end
        } catch (KafkaException e) {
            log.error("The ledger is not read any more", e);
        }
    }

    @Override
    public void close() {
        consumer.wakeup();
        try {
            thread.join(END.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
