package io.neli.sample.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.OS;
import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Instances are processes here, and so is the broker: at most four of them at a time. */
@Timeout(120)
class SharedBrokerIT {

    private static final Duration BROKER_STOP = Duration.ofSeconds(15);

    private final List<Instance> instances = new ArrayList<>();
    private final Set<ProcessHandle> brokers = new HashSet<>();
    private Path directory;

    @BeforeEach
    void makeDirectory() throws IOException {
        Path memory = Path.of("/dev/shm");
        directory = Files.isWritable(memory)
                ? Files.createTempDirectory(memory, "neli-sample")
                : Files.createTempDirectory("neli-sample");
    }

    @AfterEach
    void cleanUp() throws Exception {
        for (Instance instance : instances) {
            instance.cleanUp();
        }
        for (ProcessHandle broker : brokers) {
            broker.destroyForcibly();
            broker.onExit().get(10, TimeUnit.SECONDS);
        }
        FileSystemUtils.deleteRecursively(directory);
    }

    @Test
    void instancesStartedAtOnceShareABrokerThatGoesWithTheLastOfThem() throws Exception {
        Instance a = start();
        Instance b = start();
        Instance c = start();

        String address = a.awaitAddress();
        assertThat(List.of(b.awaitAddress(), c.awaitAddress())).containsOnly(address);
        ProcessHandle broker = theBroker();
        assertThat(nodes(address)).isEqualTo(1);
        for (Instance instance : instances) {
            assertThat(instance.output())
                    .contains("using a broker of the sample's own")
                    .doesNotContain("org.apache.kafka", "kafka.server", "RaftManager", "Formatting");
        }
        assertThat(directory.resolve("broker.log")).content().contains("The broker is up at " + address);

        signal(broker, "INT"); // Ctrl-C in the terminal in which it was started
        signal(broker, "HUP"); // and the end of that terminal
        a.stop();
        b.kill();
        await().until(() -> a.isGone() && b.isGone());
        assertThat(nodes(address)).as("nodes while an instance is left").isEqualTo(1);

        c.kill();
        awaitEnd(broker);
        assertThat(directory.toFile().list())
                .containsExactlyInAnyOrder("broker.lock", "broker.log", "start.lock", "users.lock");
    }

    @Test
    void anInstanceThatComesWhileTheBrokerStopsGetsANewOne() throws Exception {
        Instance first = start();
        first.awaitAddress();
        ProcessHandle firstBroker = theBroker();
        first.stop();
        await().atMost(BROKER_STOP).until(() -> brokerLog().contains("The last instance has gone"));

        Instance second = start();

        assertThat(nodes(second.awaitAddress())).isEqualTo(1);
        awaitEnd(firstBroker);
        ProcessHandle secondBroker = theBroker();
        second.stop();
        awaitEnd(secondBroker);
    }

    @Test
    void aStartReplacesABrokerThatWasKilled() throws Exception {
        Instance first = start();
        String address = first.awaitAddress();
        ProcessHandle killed = theBroker();
        killed.destroyForcibly();
        awaitEnd(killed);

        Instance second = start();

        assertThat(second.awaitAddress())
                .as("where the first instance looks for it")
                .isEqualTo(address);
        assertThat(nodes(address)).isEqualTo(1);
        assertThat(theBroker()).isNotEqualTo(killed);
    }

    @Test
    void aBrokerThatCannotStartIsReportedWithItsLog() throws Exception {
        Files.createDirectories(directory.resolve("address.new")); // so that it cannot say where it is

        Instance instance = start();

        await().atMost(Duration.ofSeconds(40)).until(instance::isGone);
        assertThat(instance.output())
                .contains("the broker ended with exit code 1; its log is " + directory.resolve("broker.log"));
        assertThat(brokerLog()).contains("The broker has failed");
    }

    private Instance start() throws IOException {
        Instance instance = Instance.start(directory);
        instances.add(instance);
        return instance;
    }

    /** The only one that there is. */
    private ProcessHandle theBroker() {
        List<ProcessHandle> running = instances.stream()
                .flatMap(instance -> instance.brokers().stream())
                .toList();
        brokers.addAll(running);
        assertThat(running).hasSize(1);
        return running.get(0);
    }

    private static void signal(ProcessHandle process, String name) throws Exception {
        if (OS.WINDOWS.isCurrentOs()) {
            return;
        }
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).as("exit code of kill").isZero();
    }

    private static void awaitEnd(ProcessHandle broker) {
        await().atMost(BROKER_STOP).until(() -> !broker.isAlive());
    }

    private String brokerLog() throws IOException {
        return Files.readString(directory.resolve("broker.log"));
    }

    private static int nodes(String address) throws Exception {
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, address))) {
            return admin.describeCluster().nodes().get(20, TimeUnit.SECONDS).size();
        }
    }
}
