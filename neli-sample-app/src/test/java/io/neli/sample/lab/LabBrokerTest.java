package io.neli.sample.lab;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.harness.ChildProcess;
import io.neli.sample.lab.history.MarkKind;
import io.neli.sample.lab.history.Observation;
import io.neli.sample.lab.view.LabState.Broker;
import io.neli.sample.lab.view.LabState.ProcessState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** A broker whose process is a {@link StandIn}. */
@Timeout(240)
@DisabledOnOs(OS.WINDOWS)
class LabBrokerTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final List<Observation> observations = new CopyOnWriteArrayList<>();
    private JavaProcesses processes;
    private LabBroker broker;

    @BeforeEach
    void start() throws Exception {
        processes = JavaProcesses.create(() -> 1000);
        JavaProcesses.Program program =
                new JavaProcesses.Program("broker-2", List.of("-Xmx32m"), StandIn.class, List.of("up"));
        broker = new LabBroker(program, "127.0.0.1:9092", processes, observations::add, this);
        perform("start");
        awaitState(ProcessState.RUNNING);
    }

    private synchronized Broker state() {
        return broker.view();
    }

    private synchronized void perform(String action) {
        broker.perform(action);
    }

    private synchronized List<ChildProcess> end() {
        return broker.end(MarkKind.KILL).toList();
    }

    private void awaitState(ProcessState state) {
        await().atMost(LIMIT).until(() -> state().process() == state);
    }

    @AfterEach
    void clean_up() throws Exception {
        for (ChildProcess process : end()) {
            process.destroy();
            assertThat(process.endsWithin(LIMIT)).isTrue();
        }
        FileSystemUtils.deleteRecursively(processes.directory());
    }

    @Test
    void a_broker_that_is_up_can_be_killed_frozen_or_stopped() {
        assertThat(actions()).containsExactlyInAnyOrder("kill", "freeze", "stop");
        assertRefused("start", "broker-2 is running already.");
        assertRefused("thaw", "broker-2 is not frozen.");
        assertThatThrownBy(() -> perform("resign")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_killed_broker_can_be_started_again() {
        perform("kill");
        awaitState(ProcessState.DOWN);

        assertThat(actions()).containsExactly("start");
        assertRefused("freeze", "broker-2 is not running; start it first.");

        perform("start");
        awaitState(ProcessState.RUNNING);

        assertThat(observations)
                .containsExactly(
                        occurred(MarkKind.START),
                        occurred(MarkKind.UP),
                        occurred(MarkKind.KILL),
                        new Observation.Exited(1000, "broker-2", 137),
                        occurred(MarkKind.START),
                        occurred(MarkKind.UP));
    }

    @Test
    void a_frozen_broker_can_be_killed_or_thawed() {
        perform("freeze");

        assertThat(state().process()).isEqualTo(ProcessState.FROZEN);
        assertThat(actions()).containsExactlyInAnyOrder("kill", "thaw");
        assertRefused("stop", "broker-2 is frozen; thaw it first.");

        perform("thaw");

        assertThat(state().process()).isEqualTo(ProcessState.RUNNING);
    }

    @Test
    void a_stopped_broker_is_asked_to_end() {
        perform("stop");
        awaitState(ProcessState.DOWN);

        assertThat(observations).last().isEqualTo(new Observation.Exited(1000, "broker-2", 143));
    }

    @Test
    void at_the_end_of_the_lab_it_is_killed() {
        assertThat(end()).hasSize(1);
        awaitState(ProcessState.DOWN);

        assertThat(observations).last().isEqualTo(new Observation.Exited(1000, "broker-2", 137));
        assertThat(end()).isEmpty();
    }

    private static Observation occurred(MarkKind kind) {
        return new Observation.Occurred(1000, "broker-2", kind);
    }

    private List<String> actions() {
        return state().refusals().entrySet().stream()
                .filter(refusal -> refusal.getValue() == null)
                .map(Map.Entry::getKey)
                .toList();
    }

    private void assertRefused(String action, String message) {
        assertThatThrownBy(() -> perform(action))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(message);
    }
}
