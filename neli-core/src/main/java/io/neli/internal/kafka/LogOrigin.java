package io.neli.internal.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.neli.internal.election.LogId;
import io.neli.internal.shell.ShellSettings;
import org.apache.kafka.common.TopicPartition;

/**
 * Where the logs are. Each record names the cluster, topic and partition that it was written to: a tool that mirrors topics may copy
 * it elsewhere, where its term and its offsets mean something else. Thread-safe.
 */
final class LogOrigin {

    static final String HEADER = "log";

    private final ShellSettings settings;
    private volatile String clusterId = "";
    private final Map<LogId, byte[]> names = new ConcurrentHashMap<>();

    LogOrigin(ShellSettings settings) {
        this.settings = settings;
    }

    /** Before a record is written or read. */
    void isCluster(String id) {
        clusterId = id;
    }

    TopicPartition partition(LogId log) {
        return new TopicPartition(settings.topic(log.log()), log.partition());
    }

    /** What the records of a log name. */
    byte[] of(LogId log) {
        return names.computeIfAbsent(log, each -> {
            TopicPartition partition = partition(each);
            String name = clusterId + "/" + partition.topic() + "/" + partition.partition();
            return name.getBytes(StandardCharsets.UTF_8);
        });
    }

    /** Whether a record that was read there was written there, as far as it says. */
    boolean isFrom(LogId log, Map<String, byte[]> headers) {
        byte[] origin = headers.get(HEADER);
        return origin == null || Arrays.equals(origin, of(log));
    }
}
