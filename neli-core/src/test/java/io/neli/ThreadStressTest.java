package io.neli;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jcstress.Main;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the classes whose names end in {@code Stress}. In a JVM for each, jcstress lets their actors meet many thousand
 * times, and fails on forbidden outcomes. On a slow machine they meet less often, which is not a failure.
 */
@Tag("proof")
@Tag("search")
class ThreadStressTest {

    private static final long LIMIT_MINUTES = 30;

    /** Unless {@code -pth} is false, the JVMs that find out what is available would touch their whole heap. */
    private static final String OPTIONS = "-t Stress -v -f 1 -iters 1 -time 250 -sc false -pth false -r report";

    @Test
    void threads_that_meet_at_the_gate_the_partition_and_the_lease_break_no_promise() throws Exception {
        Path directory = Files.createDirectories(Path.of("target", "stress"));
        File output = directory.resolve("output.txt").toFile();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "-jvmArgs",
                "-Xmx256m -XX:+UseSerialGC -Dlogback.configurationFile=logback-stress.xml"));
        command.addAll(List.of(OPTIONS.split(" ")));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        try {
            assertThat(process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES))
                    .as("ends")
                    .isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertThat(output).content().contains("Failed tests: No matches.", "Error tests: No matches.");
        assertThat(process.exitValue()).isZero();
    }
}
