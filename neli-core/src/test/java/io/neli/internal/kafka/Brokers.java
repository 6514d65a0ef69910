package io.neli.internal.kafka;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;

/** Brokers in this JVM, and the topics on them. */
public abstract class Brokers implements AutoCloseable {

    private final String bootstrapServers;
    private final Admin admin;

    Brokers(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
        this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    }

    public final String bootstrapServers() {
        return bootstrapServers;
    }

    public final Admin admin() {
        return admin;
    }

    public final String clusterId() {
        return answer(admin.describeCluster().clusterId());
    }

    public final void delete(String topic) {
        answer(admin.deleteTopics(List.of(topic)).all());
    }

    public final TopicDescription describe(String topic) {
        return answer(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic);
    }

    /** The settings of the topic itself. */
    public final Map<String, String> config(String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return answer(admin.describeConfigs(List.of(resource)).all()).get(resource).entries().stream()
                .filter(entry -> entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG)
                .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value));
    }

    public final void configure(String topic, Map<String, String> config) {
        answer(admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, topic),
                        config.entrySet().stream()
                                .map(entry -> new AlterConfigOp(
                                        new ConfigEntry(entry.getKey(), entry.getValue()), AlterConfigOp.OpType.SET))
                                .toList()))
                .all());
    }

    static <T> T answer(KafkaFuture<T> future) {
        try {
            return future.get(2, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e);
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        admin.close();
    }
}
