package io.neli.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

@Timeout(240)
@DisabledOnOs(OS.WINDOWS)
class ChildProcessTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private ChildProcess child;

    private void start(String script) throws IOException {
        child = new ChildProcess(new ProcessBuilder("sh", "-c", script), directory.resolve("child.log"));
        child.read(new ChildProcess.Listener() {
            @Override
            public void printed(String line) {
                calls.add(line);
            }

            @Override
            public void exited(int code) {
                calls.add("exited " + code);
            }
        });
    }

    private void awaitCall(String call) {
        await().atMost(LIMIT).until(() -> calls.contains(call));
    }

    @AfterEach
    void end() {
        child.destroy();
        assertThat(child.endsWithin(LIMIT)).isTrue();
    }

    @Test
    void its_lines_are_reported_and_its_end_is_reported_last() throws IOException {
        start("exec cat");
        child.say("hello");
        awaitCall("hello");
        child.destroy();

        assertThat(child.endsWithin(LIMIT)).isTrue();
        assertThat(calls).containsExactly("hello", "exited 137");
    }

    @Test
    void its_errors_are_in_its_log() throws IOException {
        start("echo wrong >&2; exit 3");

        child.awaitEnd(LIMIT);
        assertThat(calls).containsExactly("exited 3");
        assertThat(directory.resolve("child.log")).hasContent("wrong");
    }

    @Test
    void the_lines_that_it_prints_while_it_ends_are_reported_too() throws IOException {
        start("trap 'echo bye; exit 5' TERM; echo up; while :; do sleep 0.05; done");
        awaitCall("up");
        child.terminate(LIMIT);

        child.awaitEnd(LIMIT);
        assertThat(calls).containsExactly("up", "bye", "exited 5");
    }

    @Test
    void a_process_that_does_not_end_in_time_is_killed() throws IOException {
        start("echo up; exec sleep 600");
        awaitCall("up");
        child.stop();
        child.terminate(Duration.ofMillis(10));

        child.awaitEnd(LIMIT);
        assertThat(calls).containsExactly("up", "exited 137");
    }

    @Test
    void waiting_for_the_end_is_limited_and_kills() throws IOException {
        start("exec sleep 600");

        assertThat(child.endsWithin(Duration.ofMillis(10))).isFalse();
        assertThatIllegalStateException().isThrownBy(() -> child.awaitEnd(Duration.ofMillis(10)));
        awaitCall("exited 137");
    }

    @Test
    void a_frozen_process_is_silent_and_continues_when_it_is_resumed() throws IOException {
        start("exec cat");
        child.say("before");
        awaitCall("before");
        child.stop();
        child.say("frozen");

        assertThat(child.endsWithin(Duration.ofMillis(50))).isFalse();
        assertThat(calls).containsExactly("before");
        child.resume();
        awaitCall("frozen");
    }

    @Test
    void a_process_that_has_ended_gets_no_signals_and_no_lines() throws IOException {
        start("exit 0");
        child.awaitEnd(LIMIT);

        child.say("hello");
        assertThatIllegalStateException().isThrownBy(child::stop).withMessage("Process " + child.pid() + " has ended");
        assertThatIllegalStateException().isThrownBy(child::resume);
        assertThat(calls).containsExactly("exited 0");
    }
}
