package io.neli.internal.kafka;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.neli.internal.election.Decoded;
import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.RecordCodec;
import io.neli.internal.shell.ShellSettings;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * Maps logs to Kafka's partitions, and converts their records. Each record names the cluster, topic and partition that
 * it was written to: a tool that mirrors topics may copy it to another log, where its term and offsets mean something
 * else. Thread-safe.
 */
final class KafkaRecords {

    private static final String ORIGIN = "log";

    private final ShellSettings settings;
    private final RecordCodec codec;
    private volatile String clusterId = "";

    KafkaRecords(ShellSettings settings) {
        this.settings = settings;
        this.codec = new RecordCodec(settings.groupId());
    }

    /** Called before any record is written or read. */
    void setCluster(String id) {
        clusterId = id;
    }

    TopicPartition partition(LogId log) {
        return new TopicPartition(settings.topic(log.log()), log.partition());
    }

    private byte[] origin(LogId log) {
        String name = clusterId + "/" + settings.topic(log.log()) + "/" + log.partition();
        return name.getBytes(StandardCharsets.UTF_8);
    }

    ProducerRecord<byte[], byte[]> encode(LogId log, LogRecord record) {
        List<Header> headers = new ArrayList<>();
        codec.encode(record).forEach((name, value) -> headers.add(new RecordHeader(name, value)));
        headers.add(new RecordHeader(ORIGIN, origin(log)));
        TopicPartition partition = partition(log);
        return new ProducerRecord<>(partition.topic(), partition.partition(), codec.key(), null, headers);
    }

    /** A record that names another log as its origin is unreadable. */
    Decoded decode(LogId log, ConsumerRecord<byte[], byte[]> record) {
        Map<String, byte[]> headers = new HashMap<>();
        for (Header header : record.headers()) {
            if (header.value() != null) {
                headers.put(header.key(), header.value());
            }
        }
        byte[] origin = headers.get(ORIGIN);
        return origin == null || Arrays.equals(origin, origin(log))
                ? codec.decode(record.key(), headers)
                : new Decoded.Unreadable(true);
    }

    /**
     * Whether a batch of that partition has failed its checks. Then Kafka's client throws a plain KafkaException at
     * each poll, which names the partition only in its text.
     */
    static boolean isCorrupt(TopicPartition partition, KafkaException failure) {
        List<String> words = List.of(String.valueOf(failure.getMessage()).split("[^\\w.-]|\\.(\\s|$)"));
        return (failure.getClass() == KafkaException.class || failure instanceof SerializationException)
                && words.contains(partition.toString());
    }
}
