package io.neli;

import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

import io.neli.cluster.BrokerProcess;
import io.neli.cluster.ConsumerGroupView;
import io.neli.cluster.GroupView;
import io.neli.cluster.ServerProcess;
import io.neli.internal.kafka.Brokers;

/** Kafka brokers: one in this JVM that tests share, and others as processes. */
class KafkaServers implements TestServers {

    @Override
    public String shared() {
        return Brokers.shared().bootstrapServers();
    }

    @Override
    public ServerProcess start() {
        return BrokerProcess.start(settings -> {});
    }

    @Override
    public GroupView view(String servers, String group) {
        return new ConsumerGroupView(servers, group);
    }

    @Override
    public NeliBuilder builder(String servers) {
        return Neli.builder().kafka(Map.of("bootstrap.servers", servers));
    }

    @Override
    public String topic(String group) {
        return group + ".neli";
    }

    @Override
    public long append(String topic, byte[] key, byte[] value, Map<String, byte[]> headers) {
        return Brokers.shared().append(topic, key, value, headers);
    }

    @Override
    public Set<String> threadsAtRest() {
        return Set.of("log", "group", "events");
    }

    /** Excludes threads of the broker. */
    @Override
    public boolean isOfClient(String threadName) {
        return Stream.of(
                        "kafka-producer-network-thread | neli-",
                        "kafka-admin-client-thread | neli-",
                        "kafka-coordinator-heartbeat-thread | ")
                .anyMatch(threadName::startsWith);
    }

    @Override
    public Set<String> clients(String member) {
        try {
            Set<String> names = new HashSet<>();
            for (String domain : List.of("kafka.consumer", "kafka.producer", "kafka.admin.client")) {
                ManagementFactory.getPlatformMBeanServer()
                        .queryNames(new ObjectName(domain + ":*"), null)
                        .forEach(name -> names.add(name.toString()));
            }
            names.removeIf(name -> !name.contains("neli-" + member + "-"));
            return names;
        } catch (MalformedObjectNameException e) {
            throw new IllegalStateException(e);
        }
    }
}
