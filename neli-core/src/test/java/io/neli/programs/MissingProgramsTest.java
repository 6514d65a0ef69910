package io.neli.programs;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.EngineTestKit.Builder;
import org.junit.platform.testkit.engine.Events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

class MissingProgramsTest {

    private static final String ANY_FILE =
            Path.of(System.getProperty("java.home"), "release").toString();

    /** Whether the class below was initialized, which its first test causes. */
    private static final AtomicBoolean STARTED = new AtomicBoolean();

    @Needs({Program.HAPROXY, Program.PROMTOOL})
    static class OnPrograms {

        private static final boolean FIXTURE = !STARTED.getAndSet(true);

        @Test
        void runs() {
            assertThat(FIXTURE).isTrue();
        }
    }

    static class OnAny {

        @Test
        void runs() {}

        @Needs(Program.HAPROXY)
        @Test
        void runs_with_a_program() {}
    }

    private final PrintStream standardError = System.err;
    private final Properties properties = (Properties) System.getProperties().clone();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @BeforeEach
    void hide_programs_and_keep_what_is_printed() {
        System.setProperty(Program.PROPERTY, "none");
        System.setErr(new PrintStream(printed));
    }

    @AfterEach
    void restore() {
        System.setErr(standardError);
        System.setProperties(properties);
    }

    private static Builder engine(Class<?> test) {
        return EngineTestKit.engine("junit-jupiter").selectors(selectClass(test));
    }

    private static List<String> reasons(Events events) {
        return events.skipped()
                .map(event -> event.getRequiredPayload(String.class))
                .toList();
    }

    @Test
    void tests_of_a_missing_program_are_skipped_before_their_class_is_initialized() {
        Events events = engine(OnPrograms.class).execute().allEvents();

        String reason = "OnPrograms is skipped because it needs haproxy (apt-get install haproxy)"
                + " and promtool (apt-get install prometheus)";
        assertThat(reasons(events)).containsExactly(reason);
        assertThat(printed.toString().lines()).containsExactly(reason);
        assertThat(STARTED).isFalse();
    }

    @Test
    void one_test_of_a_class_is_skipped_alone() {
        Events events = engine(OnAny.class).execute().testEvents();

        assertThat(reasons(events))
                .containsExactly(
                        "OnAny.runs_with_a_program is skipped because it needs haproxy (apt-get install haproxy)");
        events.assertStatistics(statistics -> statistics.succeeded(1).failed(0));
    }

    @Test
    void tests_of_programs_that_are_there_run() {
        System.clearProperty(Program.PROPERTY);
        System.setProperty("neli.test.program.haproxy", ANY_FILE);

        Events events = engine(OnAny.class).execute().testEvents();

        events.assertStatistics(statistics -> statistics.skipped(0).succeeded(2));
        assertThat(Program.HAPROXY.path()).hasToString(ANY_FILE);
    }

    @Test
    void a_module_can_name_what_all_its_tests_need() {
        Events events = engine(OnAny.class)
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                .configurationParameter(MissingPrograms.PARAMETER, "NATS_SERVER")
                .execute()
                .allEvents();

        assertThat(reasons(events))
                .containsExactly("OnAny is skipped because it needs nats-server (apt-get install nats-server)");
    }

    @Test
    void using_a_missing_program_fails_and_says_how_to_install_it() {
        assertThatIllegalStateException()
                .isThrownBy(Program.PROMTOOL::path)
                .withMessage("promtool is missing: apt-get install prometheus");
    }
}
