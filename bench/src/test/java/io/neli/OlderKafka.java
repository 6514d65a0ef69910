package io.neli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.neli.cluster.BrokerProcess;
import io.neli.cluster.JavaProcess;
import io.neli.cluster.ServerProcess;
import io.neli.harness.ChildProcess;
import io.neli.harness.Network;
import io.neli.harness.TemporaryDirectory;
import org.springframework.util.FileSystemUtils;

/** A broker of the oldest supported version, which all tests share. */
public final class OlderKafka extends KafkaServers {

    private static final Duration END_LIMIT = Duration.ofMinutes(2);

    private static final String LIBRARIES = Path.of("older-kafka", "target", "lib") + "/*";

    private static final class Shared {
        static final String ADDRESS = startBroker();
    }

    @Override
    public String shared() {
        return Shared.ADDRESS;
    }

    @Override
    public ServerProcess start() {
        throw new UnsupportedOperationException();
    }

    private static String startBroker() {
        try {
            Path directory = TemporaryDirectory.create("neli-older-kafka");
            int keeper = Network.freePort();
            String address = "127.0.0.1:" + Network.freePort();
            Path keeperFile = directory.resolve("zookeeper.properties");
            Files.write(
                    keeperFile,
                    List.of(
                            "dataDir=" + directory.resolve("keeper"),
                            "clientPortAddress=127.0.0.1",
                            "clientPort=" + keeper,
                            "admin.enableServer=false"));
            Path brokerFile = directory.resolve("server.properties");
            Files.write(
                    brokerFile,
                    List.of(
                            "log.dirs=" + directory.resolve("logs"),
                            "zookeeper.connect=127.0.0.1:" + keeper,
                            "listeners=PLAINTEXT://" + address,
                            "offsets.topic.replication.factor=1",
                            "offsets.topic.num.partitions=3",
                            "group.initial.rebalance.delay.ms=0"));
            ProcessBuilder command = new ProcessBuilder(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx384m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                    "-cp",
                    String.join(":", classes(OlderKafkaMain.class), classes(ChildProcess.class), LIBRARIES),
                    OlderKafkaMain.class.getName(),
                    keeperFile.toString(),
                    brokerFile.toString()));
            ChildProcess broker =
                    new ChildProcess(command, JavaProcess.logDirectory().resolve("older-kafka.log"));
            broker.read(line -> {});
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(broker, directory), "end-broker"));
            BrokerProcess.awaitAnswer(broker, address);
            return address;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String classes(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation().getPath();
    }

    private static void end(ChildProcess broker, Path directory) {
        try {
            broker.destroy();
            broker.awaitEnd(END_LIMIT); // it must not write into the directory during the deletion
            FileSystemUtils.deleteRecursively(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
