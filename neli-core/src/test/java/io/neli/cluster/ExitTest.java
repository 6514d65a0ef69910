package io.neli.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.neli.TestMember.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

/** {@link System#exit} by a listener or by work, in a process of its own whose shutdown hook closes the election. */
class ExitTest {

    @ParameterizedTest
    @CsvSource({
        "acquired, inside, acquired revoked closed",
        "revoked, inside, acquired revoked closed",
        "fenced, inside, acquired fenced closed",
        "work, inside, acquired revoked closed",
        "revoked, main, acquired revoked closed",
        "work, main, acquired revoked closed"
    })
    void a_process_that_exits_from_the_inside_hands_over_without_waiting_for_itself(
            String where, String first, String printed) throws Exception {
        JavaProcess process =
                JavaProcess.start("exit-" + where + "-" + first + ".log", "-Xmx64m", ExitMain.class, where, first);
        try {
            CompletableFuture<List<String>> output = CompletableFuture.supplyAsync(() -> lines(process));

            assertThat(process.io().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("ended")
                    .isTrue();
            assertThat(process.io().exitValue()).isEqualTo(3);
            assertThat(String.join(" ", output.join())).isEqualTo(printed);
        } finally {
            process.io().toHandle().destroyForcibly();
        }
    }

    private static List<String> lines(JavaProcess process) {
        try (BufferedReader reader = process.io().inputReader()) {
            return reader.lines().toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
