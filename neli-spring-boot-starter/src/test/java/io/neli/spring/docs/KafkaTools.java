package io.neli.spring.docs;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

import io.neli.cluster.JavaProcess;
import kafka.admin.ConfigCommand;
import org.apache.kafka.tools.TopicCommand;
import org.apache.kafka.tools.consumer.ConsoleConsumer;
import org.apache.kafka.tools.consumer.group.ConsumerGroupCommand;

/** Runs the commands of a page on a cluster of one broker. Each of Kafka's scripts is a class. */
final class KafkaTools {

    private static final Map<String, Class<?>> SCRIPTS = Map.of(
            "kafka-topics.sh", TopicCommand.class,
            "kafka-configs.sh", ConfigCommand.class,
            "kafka-consumer-groups.sh", ConsumerGroupCommand.class,
            "kafka-console-consumer.sh", ConsoleConsumer.class);

    private final String servers;

    KafkaTools(String servers) {
        this.servers = servers;
    }

    static boolean has(ShellCommand command) {
        return SCRIPTS.containsKey(command.program());
    }

    void run(ShellCommand command) {
        String here = command.text()
                .replace("broker:9092", servers)
                .replace("--replication-factor 3", "--replication-factor 1")
                .replace("min.insync.replicas=2", "min.insync.replicas=1");
        String[] words = here.split("\\s+");
        // Some tools end their process.
        JavaProcess tool = JavaProcess.start(
                "kafka-tools.log",
                "-Xmx128m",
                SCRIPTS.get(command.program()),
                Arrays.copyOfRange(words, 1, words.length));
        tool.awaitEnd(Duration.ofMinutes(2));
        if (tool.io().exitValue() != 0) {
            throw new AssertionError(command + " has failed, see kafka-tools.log");
        }
    }
}
