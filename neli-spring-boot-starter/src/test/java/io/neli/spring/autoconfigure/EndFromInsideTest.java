package io.neli.spring.autoconfigure;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.neli.cluster.JavaProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Applications, each in a process of its own, that end from a listener or from work. */
class EndFromInsideTest {

    private static final Map<List<String>, JavaProcess> processes = new HashMap<>();

    /** Together, as most of their time goes into their start. */
    @BeforeAll
    static void start() {
        for (String by : List.of("exit", "close")) {
            for (String at : List.of("work", "LeaderFencedEvent")) {
                processes.put(
                        List.of(by, at),
                        JavaProcess.start(
                                "inside-" + by + "-" + at + ".log", "-Xmx128m", EndFromInsideMain.class, by, at));
            }
        }
    }

    @AfterAll
    static void end() {
        processes.values().forEach(process -> process.io().toHandle().destroyForcibly());
    }

    @ParameterizedTest
    @CsvSource({"exit, work", "exit, LeaderFencedEvent", "close, work", "close, LeaderFencedEvent"})
    void an_application_that_ends_from_the_inside_lets_other_work_end_first_and_does_not_wait_for_itself(
            String by, String at) throws Exception {
        JavaProcess process = processes.get(List.of(by, at));

        assertThat(process.io().waitFor(2, TimeUnit.MINUTES)).as("ended").isTrue();

        assertThat(process.io().exitValue()).isEqualTo(by.equals("exit") ? 3 : 0);
        assertThat(process.io().inputReader().lines().filter(line -> !line.contains(" INFO ")))
                .startsWith("other work ended", "destroyed");
    }
}
