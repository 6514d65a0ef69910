package io.neli.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.neli.sample.broker.Instance;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The jar as a user starts it. */
@Timeout(120)
class SampleApplicationIT {

    private static final Path JAR = Path.of("target", "neli-sample-app.jar").toAbsolutePath();

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
    void theJobMovesToTheStandbyWhenTheLeaderIsStopped() throws Exception {
        Instance alice = start("alice");
        alice.awaitOutput("settling with token");
        brokers.addAll(alice.brokers());
        Instance bob = start("bob");
        bob.awaitOutput("standing by, alice leads");

        alice.stop();
        bob.awaitOutput("settling with token");

        await().atMost(Duration.ofSeconds(20)).until(alice::isGone);
        assertThat(alice.output()).contains("leading with token").contains("handing over, reason CLOSING");
        assertThat(token(bob)).isGreaterThan(token(alice));

        bob.stop();
        await().atMost(Duration.ofSeconds(20)).until(bob::isGone);
        for (Instance instance : instances) {
            assertThat(instance.output().lines()).as("what the user sees").allMatch(line -> line.contains(" INFO "));
        }
        await().atMost(Duration.ofSeconds(15)).until(() -> brokers.stream().noneMatch(ProcessHandle::isAlive));
    }

    @Test
    void itLeadsFromWhatWasProcessedAheadOfTime() throws Exception {
        Instance alice = start("alice", "-Dspring.aot.enabled=true");

        alice.awaitOutput("settling with token");
        brokers.addAll(alice.brokers());

        alice.stop();
        await().atMost(Duration.ofSeconds(20)).until(alice::isGone);
        assertThat(alice.output())
                .contains("leading with token")
                .contains("handing over, reason CLOSING")
                .doesNotContain(" WARN ", " ERROR ");
    }

    private Instance start(String name, String... options) throws IOException {
        Instance instance = Instance.startSample(directory, JAR, name, options);
        instances.add(instance);
        return instance;
    }

    private static long token(Instance instance) {
        Matcher token = Pattern.compile("settling with token (\\d+)").matcher(instance.output());
        assertThat(token.find()).isTrue();
        return Long.parseLong(token.group(1));
    }
}
