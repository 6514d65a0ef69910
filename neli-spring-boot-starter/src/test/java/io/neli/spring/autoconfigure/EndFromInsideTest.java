package io.neli.spring.autoconfigure;

import java.util.concurrent.TimeUnit;

import io.neli.cluster.JavaProcess;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** An application, in a process of its own, that ends from a listener or from work. */
class EndFromInsideTest {

    @ParameterizedTest
    @CsvSource({"exit, work", "exit, LeaderFencedEvent", "close, work", "close, LeaderFencedEvent"})
    void an_application_that_ends_from_the_inside_lets_other_work_end_first_and_does_not_wait_for_itself(
            String by, String at) throws Exception {
        JavaProcess process =
                JavaProcess.start("inside-" + by + "-" + at + ".log", "-Xmx128m", EndFromInsideMain.class, by, at);
        try {
            assertThat(process.io().waitFor(2, TimeUnit.MINUTES)).as("ended").isTrue();

            assertThat(process.io().exitValue()).isEqualTo(by.equals("exit") ? 3 : 0);
            assertThat(process.io().inputReader().lines().filter(line -> !line.contains(" INFO ")))
                    .startsWith("other work ended", "destroyed");
        } finally {
            process.io().toHandle().destroyForcibly();
        }
    }
}
