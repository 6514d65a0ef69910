package io.neli.sample.broker;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of Apache Kafka's server, broker and controller in one (KRaft). Its arguments are its
 * {@code server.properties} and the id of its cluster. It prints {@link #UP} on standard output when clients can connect, and
 * logs on standard error. It ends after a SIGTERM, and when its standard input ends because the parent process has ended.
 */
public final class BrokerMain {

    /** Printed when clients can connect. */
    public static final String UP = "up";

    private static final Logger log = LoggerFactory.getLogger(BrokerMain.class);

    private BrokerMain() {}

    public static void main(String[] args) {
        try {
            Thread parent = new Thread(BrokerMain::exitWithParent, "parent");
            parent.setDaemon(true);
            parent.start();
            KafkaRaftServer server = open(Path.of(args[0]), args[1]);
            Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown, "stop"));
            server.startup();
            System.out.println(UP);
            server.awaitShutdown();
        } catch (Throwable e) {
            log.error("The broker has failed", e);
            Runtime.getRuntime().halt(1); // a partly started broker has threads that would keep the process alive
        }
    }

    /** Formats the store of a broker that has none yet. */
    private static KafkaRaftServer open(Path file, String cluster) throws IOException {
        Properties settings = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            settings.load(reader);
        }
        Path store = Path.of(settings.getProperty("log.dirs"));
        if (!Files.exists(store.resolve("meta.properties"))) {
            String[] format = {"format", "--cluster-id", cluster, "--config", file.toString()};
            if (StorageTool.execute(format, System.err) != 0) {
                throw new IOException("Cannot format " + store);
            }
        }
        return new KafkaRaftServer(new KafkaConfig(settings), Time.SYSTEM);
    }

    private static void exitWithParent() {
        try {
            while (System.in.read() >= 0) {
                // the parent writes nothing
            }
        } catch (IOException e) {
            // as good as the end
        }
        System.exit(0);
    }
}
