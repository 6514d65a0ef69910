package io.neli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.neli.internal.kafka.Brokers;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** Random headers, sizes, timestamps, partitions and transactions. */
@Tag(TestServers.KAFKA)
class KafkaFuzzIT extends LogFuzz {

    private static final int PARTITIONS = 3;
    /** The broker's default limit for a batch; a record's own fields take a small part of it. */
    private static final int LIMIT = 1_048_588;

    private final List<KafkaProducer<byte[], byte[]>> producers = new ArrayList<>();
    private int transactions;

    private KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
        Map<String, Object> all = new HashMap<>(more);
        all.put("bootstrap.servers", Brokers.shared().bootstrapServers());
        all.put("max.request.size", 4 * LIMIT);
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
        producers.add(producer);
        return producer;
    }

    /** Records of an open transaction are already in the log. */
    private KafkaProducer<byte[], byte[]> transaction() {
        transactions++;
        KafkaProducer<byte[], byte[]> producer =
                producer(Map.of("transactional.id", group + "-" + transactions, "transaction.timeout.ms", 600_000));
        producer.initTransactions();
        producer.beginTransaction();
        return producer;
    }

    @AfterEach
    void close() {
        producers.forEach(KafkaProducer::close);
    }

    @Override
    protected void begin(String topic) {
        Brokers.shared().addPartitions(topic, PARTITIONS);
        if (producers.isEmpty()) {
            producer(Map.of());
        }
    }

    @Override
    protected void write(String topic) throws Exception {
        if (random.nextInt(6) > 0) {
            producers.get(0).send(next(topic)).get(1, TimeUnit.MINUTES);
            return;
        }
        KafkaProducer<byte[], byte[]> transaction = transaction();
        for (int left = random.nextInt(3); left >= 0; left--) {
            transaction.send(next(topic));
        }
        transaction.flush();
        switch (random.nextInt(3)) {
            case 0 -> transaction.commitTransaction();
            case 1 -> transaction.abortTransaction();
            default -> {
                return; // leaves it open until the test ends
            }
        }
    }

    /** The log ends with a marker, which is never read as a record. */
    @Override
    protected void end(String topic) {
        KafkaProducer<byte[], byte[]> transaction = transaction();
        transaction.send(new ProducerRecord<>(topic, 0, codec.key(), null));
        transaction.flush();
        transaction.abortTransaction();
    }

    private ProducerRecord<byte[], byte[]> next(String topic) {
        Headers headers = new RecordHeaders();
        headers().forEach(headers::add);
        for (int left = random.nextInt(4); left > 0; left--) {
            disturb(headers, oneOf(List.copyOf(headers().keySet())));
        }
        int partition = random.nextInt(4) > 0 ? 0 : random.nextInt(PARTITIONS);
        Long timestamp = random.nextInt(4) > 0
                ? null
                : oneOf(List.of(0L, 1L, System.currentTimeMillis() + 3_000_000, Long.MAX_VALUE, 253_402_300_800_000L));
        byte[] key = random.nextInt(8) > 0 ? codec.key() : random.nextBoolean() ? null : bytes(oneOf(ODD));
        return new ProducerRecord<>(topic, partition, timestamp, key, value(), headers);
    }

    private byte[] value() {
        int size = random.nextInt(8) > 0
                ? random.nextInt(100)
                : oneOf(List.of(0, 100_000, LIMIT - 700, LIMIT - 600, LIMIT - 100, LIMIT, 2 * LIMIT));
        return random.nextInt(4) > 0 ? null : noise(size);
    }

    private void disturb(Headers headers, String name) {
        byte[] value = oneOf(List.of(bytes(oneOf(ODD)), noise(random.nextInt(40)), new byte[0]));
        switch (random.nextInt(5)) {
            case 0 -> headers.remove(name);
            case 1 -> headers.remove(name).add(name, random.nextBoolean() ? null : value);
            case 2 -> headers.add(name, value); // a duplicate
            case 3 -> headers.add(oneOf(ODD), random.nextBoolean() ? null : value);
            default -> headers.remove(name).add(name.toUpperCase(Locale.ROOT), value);
        }
    }
}
