package io.neli.sample.lab;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.neli.harness.ChildProcess;
import io.neli.harness.TemporaryDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Timeout(240)
@DisabledOnOs(OS.WINDOWS)
class CleanupProcessTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    @Test
    void it_kills_even_a_frozen_process_and_deletes_the_directory() throws Exception {
        Path directory = TemporaryDirectory.create("neli-lab-");
        Process shell = new ProcessBuilder(CleanupProcess.command(directory)).start();
        ChildProcess child = new ChildProcess(new ProcessBuilder("sleep", "600"), directory.resolve("child.log"));
        child.stop();
        try (OutputStream input = shell.getOutputStream()) {
            input.write((child.pid() + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
            assertThat(child.isAlive()).isTrue();
        } // closes the input, as the end of the lab does

        assertThat(child.endsWithin(LIMIT)).isTrue();
        await().atMost(LIMIT).until(() -> !Files.exists(directory));
    }
}
