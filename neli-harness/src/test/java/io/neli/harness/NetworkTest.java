package io.neli.harness;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class NetworkTest {

    private static final int FIRST_PORT = 11_000; // enough for several builds at the same time
    private static final int LAST_PORT = 11_999;
    private static final int COUNT = 100; // of so many, two processes would choose some twice

    private static List<String> ports() {
        return Stream.generate(() -> Network.freePort(FIRST_PORT, LAST_PORT))
                .limit(COUNT)
                .map(String::valueOf)
                .toList();
    }

    /** Prints its ports, and ends with its input. */
    static final class OtherBuild {

        public static void main(String[] arguments) throws Exception {
            System.out.println(String.join(" ", ports()));
            System.in.read();
        }
    }

    @Test
    void no_port_is_given_away_by_two_processes(@TempDir Path directory) throws Exception {
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        ChildProcess other = new ChildProcess(
                new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherBuild.class.getName()),
                directory.resolve("log"));
        try {
            other.read(lines::add);
            String its = lines.poll(30, TimeUnit.SECONDS);

            assertThat(ports()).doesNotHaveDuplicates().doesNotContainAnyElementsOf(List.of(its.split(" ")));
        } finally {
            other.say("end");
            other.awaitEnd(Duration.ofSeconds(30));
        }
    }
}
