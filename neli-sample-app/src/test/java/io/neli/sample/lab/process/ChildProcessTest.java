package io.neli.sample.lab.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Timeout(240)
@DisabledOnOs(OS.WINDOWS)
class ChildProcessTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private LabDirectory directory;
    private CleanupProcess cleanup;
    private ChildProcess child;

    @BeforeEach
    void start_cleanup_process() throws IOException {
        directory = LabDirectory.create();
        cleanup = CleanupProcess.start(directory);
    }

    @AfterEach
    void clean_up() throws Exception {
        child.kill();
        assertThat(child.awaitEnd(LIMIT)).isTrue();
        FileSystemUtils.deleteRecursively(directory.path());
    }

    @Test
    void its_lines_are_reported_and_its_end_is_reported_last() throws Exception {
        start();
        child.send("hello");
        await().atMost(LIMIT).until(() -> isReported("\"reason\":\"hello\""));
        child.kill();

        assertThat(child.awaitEnd(LIMIT)).isTrue();
        assertThat(calls).last().asString().startsWith("exited ");
    }

    @Test
    void the_lines_that_it_prints_while_it_ends_are_reported_too() throws Exception {
        start();
        await().atMost(LIMIT).until(() -> !calls.isEmpty());
        child.terminate(LIMIT);

        assertThat(child.awaitEnd(LIMIT)).isTrue();
        assertThat(isReported("\"event\":\"REVOKED\"")).isTrue();
        assertThat(calls).last().isEqualTo("exited 143");
    }

    @Test
    void a_process_that_does_not_end_in_time_is_killed() throws Exception {
        start();
        await().atMost(LIMIT).until(() -> !calls.isEmpty());
        freeze();
        child.terminate(Duration.ofMillis(10));

        assertThat(child.awaitEnd(LIMIT)).isTrue();
        assertThat(calls).last().isEqualTo("exited 137");
    }

    @Test
    void a_frozen_process_is_silent_and_continues_when_it_is_thawed() throws Exception {
        start();
        await().atMost(LIMIT).until(() -> !calls.isEmpty());
        freeze();
        int silent = calls.size();
        child.thaw();

        await().atMost(LIMIT).until(() -> calls.size() > silent + 1);
    }

    @Test
    void the_cleanup_process_kills_even_a_frozen_process_and_deletes_the_directory() throws Exception {
        start("deaf");
        child.freeze();

        Process shell = new ProcessBuilder(CleanupProcess.command(directory)).start();
        try (OutputStream input = shell.getOutputStream()) {
            input.write((child.pid() + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
            assertThat(child.isAlive()).isTrue();
        } // as with the end of the lab

        assertThat(child.awaitEnd(LIMIT)).isTrue();
        await().atMost(LIMIT).until(() -> !Files.exists(directory.path()));
    }

    /** The signal may take a moment to arrive. */
    private void freeze() {
        child.freeze();
        await().atMost(LIMIT).until(() -> Files.readString(Path.of("/proc/" + child.pid() + "/stat"))
                .contains(") T "));
    }

    private void start(String... arguments) throws IOException {
        JavaProcesses processes = new JavaProcesses(directory, cleanup, () -> 7);
        JavaProcesses.Program program =
                new JavaProcesses.Program("stand-in", "32m", List.of(), StandIn.class, List.of(arguments));
        child = processes.start(program, new ChildProcess.Listener() {
            @Override
            public void printed(String line, long at) {
                calls.add(line);
            }

            @Override
            public void exited(int code, long at) {
                calls.add("exited " + code);
            }
        });
    }

    private boolean isReported(String text) {
        return calls.stream().anyMatch(line -> line.contains(text));
    }
}
