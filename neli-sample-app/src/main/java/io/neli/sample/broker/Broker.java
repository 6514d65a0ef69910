package io.neli.sample.broker;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;

/** Apache Kafka's server: broker and controller in one (KRaft). */
final class Broker {

    private final KafkaRaftServer server;

    private Broker(KafkaRaftServer server) {
        this.server = server;
    }

    /**
     * A broker with the store that it had, or an empty one if it has none yet.
     *
     * @param file its {@code server.properties}
     */
    static Broker open(Path file) throws IOException {
        Properties settings = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            settings.load(reader);
        }
        Path store = Path.of(settings.getProperty("log.dirs"));
        if (!Files.exists(store.resolve("meta.properties"))) {
            String[] format = {"format", "--cluster-id", Uuid.randomUuid().toString(), "--config", file.toString()};
            if (StorageTool.execute(format, System.err) != 0) {
                throw new IOException("Cannot format " + store);
            }
        }
        return new Broker(new KafkaRaftServer(new KafkaConfig(settings), Time.SYSTEM));
    }

    /** Returns when clients can connect. */
    void start() {
        server.startup();
    }

    void stop() {
        server.shutdown();
    }

    void awaitStop() {
        server.awaitShutdown();
    }
}
