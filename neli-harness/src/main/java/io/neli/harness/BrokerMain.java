package io.neli.harness;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;

import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs Apache Kafka's server, broker and controller in one (KRaft), as a process. Its arguments are its {@code
 * server.properties}, the id of its cluster, and further arguments of {@code kafka-storage.sh format}. It prints {@link
 * #UP} on standard output when clients can connect, and logs on standard error. It ends after a SIGTERM, and when its
 * standard input ends because the parent process has ended.
 */
public final class BrokerMain {

    /** Printed when clients can connect. */
    public static final String UP = "up";

    private static final Logger log = LoggerFactory.getLogger(BrokerMain.class);

    private BrokerMain() {}

    public static void main(String[] args) {
        try {
            // Nobody needs the data then, and a broker cannot stop gracefully without a majority of the controllers.
            ChildProcess.endWithParent();
            run(Path.of(args[0]), Arrays.asList(args).subList(1, args.length), () -> System.out.println(UP));
        } catch (Throwable e) {
            log.error("The broker has failed", e);
            Runtime.getRuntime().halt(1); // threads of a partly started broker would keep the process alive
        }
    }

    /**
     * Runs the server in this process until the process is told to end.
     *
     * @param file its {@code server.properties}
     * @param format the id of its cluster, and further arguments of {@code kafka-storage.sh format}
     * @param up called when clients can connect
     */
    public static void run(Path file, List<String> format, Runnable up) throws IOException {
        KafkaRaftServer server = open(file, format);
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown, "stop"));
        server.startup();
        up.run();
        server.awaitShutdown();
    }

    /** Formats the storage of a new broker, and creates the server. */
    private static KafkaRaftServer open(Path file, List<String> format) throws IOException {
        Properties settings = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            settings.load(reader);
        }
        Path store = Path.of(settings.getProperty("log.dirs"));
        if (!Files.exists(store.resolve("meta.properties"))) {
            List<String> command = new ArrayList<>(List.of("format", "--config", file.toString(), "--cluster-id"));
            command.addAll(format);
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            if (StorageTool.execute(command.toArray(String[]::new), new PrintStream(said)) != 0) {
                throw new IOException("Cannot format " + store + ": " + said);
            }
        }
        return new KafkaRaftServer(new KafkaConfig(settings), Time.SYSTEM);
    }
}
