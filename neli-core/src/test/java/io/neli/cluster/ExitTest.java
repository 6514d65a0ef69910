package io.neli.cluster;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

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
            String where, String first, String printed) {
        JavaProcess process =
                JavaProcess.start("exit-" + where + "-" + first + ".log", "-Xmx64m", ExitMain.class, where, first);
        try {
            List<String> lines = new CopyOnWriteArrayList<>();
            process.read(lines::add);

            assertThat(process.endsWithin(PATIENCE)).as("ended").isTrue();
            assertThat(process.io().exitValue()).isEqualTo(3);
            assertThat(String.join(" ", lines)).isEqualTo(printed);
        } finally {
            process.destroy();
        }
    }
}
