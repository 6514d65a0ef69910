package io.neli.spring.autoconfigure;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.neli.cluster.JavaProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Applications, each in its own process, that end from a listener or from work. */
class EndFromInsideTest {

    private static final Map<String, JavaProcess> processes = new HashMap<>();

    /** Starts all at once, because most of their time goes into the start. */
    @BeforeAll
    static void start() {
        for (String at : List.of("work", "LeaderFencedEvent")) {
            processes.put(at, JavaProcess.start("inside-" + at + ".log", "-Xmx128m", EndFromInsideMain.class, at));
        }
    }

    @AfterAll
    static void end() {
        processes.values().forEach(process -> process.io().toHandle().destroyForcibly());
    }

    @ParameterizedTest
    @ValueSource(strings = {"work", "LeaderFencedEvent"})
    void an_application_that_closes_from_the_inside_lets_other_work_end_first_and_does_not_wait_for_itself(String at)
            throws Exception {
        JavaProcess process = processes.get(at);

        assertThat(process.io().waitFor(2, TimeUnit.MINUTES)).as("ended").isTrue();

        assertThat(process.io().exitValue()).isZero();
        assertThat(process.io().inputReader().lines().filter(line -> !line.contains(" INFO ")))
                .startsWith("other work ended", "destroyed");
    }
}
