package io.neli.internal.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.kafka.common.TopicPartition;

/**
 * Each record names the cluster, topic and partition that it was written to. A tool that mirrors topics may copy it elsewhere, where
 * its term and its offsets mean something else. Thread-safe.
 */
final class LogOrigin {

    static final String HEADER = "log";

    private volatile String clusterId = "";
    private final Map<TopicPartition, byte[]> names = new ConcurrentHashMap<>();

    /** Before a record is written or read. */
    void isCluster(String id) {
        clusterId = id;
    }

    byte[] of(TopicPartition log) {
        return names.computeIfAbsent(log, this::name);
    }

    private byte[] name(TopicPartition log) {
        String name = clusterId + "/" + log.topic() + "/" + log.partition();
        return name.getBytes(StandardCharsets.UTF_8);
    }

    /** Whether a record that was read there was written there, as far as it says. */
    boolean isFrom(TopicPartition log, Map<String, byte[]> headers) {
        byte[] origin = headers.get(HEADER);
        return origin == null || Arrays.equals(origin, of(log));
    }
}
