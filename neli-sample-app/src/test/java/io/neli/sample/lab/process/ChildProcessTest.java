package io.neli.sample.lab.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Timeout(120)
class ChildProcessTest {

    private static final Duration LIMIT = Duration.ofSeconds(40);

    private final List<String> heard = new CopyOnWriteArrayList<>();
    private LabDirectory directory;
    private ChildProcess child;

    @BeforeEach
    void makeDirectory() throws IOException {
        directory = LabDirectory.create();
    }

    @AfterEach
    void cleanUp() throws InterruptedException {
        child.kill();
        assertThat(child.awaitEnd(LIMIT)).isTrue();
        directory.delete();
    }

    @Test
    void what_it_prints_is_told_and_its_end_comes_last() throws Exception {
        start();
        child.tell("resign");
        await().atMost(LIMIT).until(() -> hasHeard("\"reason\":\"resign\""));

        child.kill();

        assertThat(child.awaitEnd(LIMIT)).isTrue();
        assertThat(heard).last().asString().startsWith("exited ");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void what_it_says_while_it_ends_is_heard_too() throws Exception {
        start();
        await().atMost(LIMIT).until(() -> !heard.isEmpty());

        child.terminate();

        assertThat(child.awaitEnd(LIMIT)).isTrue();
        assertThat(hasHeard("\"event\":\"REVOKED\"")).isTrue();
        assertThat(heard).last().isEqualTo("exited 143");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void a_frozen_one_is_silent_and_goes_on_when_it_is_thawed() throws Exception {
        start();
        await().atMost(LIMIT).until(() -> !heard.isEmpty());

        child.freeze();
        await().until(() ->
                Files.readString(Path.of("/proc/" + child.pid() + "/stat")).contains(") T "));
        int silent = heard.size();
        child.thaw();

        await().atMost(LIMIT).until(() -> heard.size() > silent + 1);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void the_reaper_leaves_nothing_not_even_what_is_frozen() throws Exception {
        start("deaf");
        child.freeze();
        Process reaper = new ProcessBuilder(JavaCommand.of(
                        directory,
                        "32m",
                        List.of(),
                        ReaperMain.class.getName(),
                        directory.path().toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (OutputStream input = reaper.getOutputStream();
                BufferedReader output = reaper.inputReader()) {
            assertThat(output.readLine()).isEqualTo(ReaperMain.READY);
            reaper.toHandle().destroy(); // a SIGTERM that the lab gets with all its processes
            input.write((child.pid() + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
            assertThat(reaper.isAlive()).isTrue();
            assertThat(directory.path()).isDirectory();
        } // as if the lab were gone

        assertThat(reaper.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(child.awaitEnd(LIMIT)).isTrue();
        assertThat(directory.path()).doesNotExist();
    }

    private void start(String... arguments) throws IOException {
        List<String> command = JavaCommand.of(directory, "32m", List.of(), StandIn.class.getName(), arguments);
        child = ChildProcess.start("stand-in", command, directory.log("stand-in"), new ChildProcess.Listener() {
            @Override
            public void printed(String line) {
                heard.add(line);
            }

            @Override
            public void exited(int code) {
                heard.add("exited " + code);
            }
        });
    }

    private boolean hasHeard(String text) {
        return heard.stream().anyMatch(line -> line.contains(text));
    }
}
