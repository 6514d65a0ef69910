package io.neli.sample.lab;

import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.NeliSnapshot;
import io.neli.harness.ChildProcess;
import io.neli.harness.Network;
import io.neli.sample.instance.report.Report.Outcome;
import io.neli.sample.lab.history.LatestReport.State;
import io.neli.sample.lab.history.MarkKind;
import io.neli.sample.lab.history.Observation;
import io.neli.sample.lab.history.Observations;
import io.neli.sample.lab.view.LabState.InstanceState;
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

/** An instance whose process is a {@link StandIn}. */
@Timeout(240)
@DisabledOnOs(OS.WINDOWS)
class LabInstanceTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final List<Observation> observations = new CopyOnWriteArrayList<>();
    private final Network network = new Network();
    private JavaProcesses processes;
    private LabInstance alice;

    @BeforeEach
    void start() throws Exception {
        processes = JavaProcesses.create(() -> 1000);
        alice = instance();
    }

    private LabInstance instance(String... arguments) {
        JavaProcesses.Program program =
                new JavaProcesses.Program("alice", List.of("-Xmx32m"), StandIn.class, List.of(arguments));
        return new LabInstance(program, List.of(network.link(1)), processes, observations::add, this);
    }

    private synchronized InstanceState state() {
        return alice.view(1000);
    }

    private synchronized void perform(String action) {
        alice.perform(action);
    }

    private void startAndAwait() {
        synchronized (this) {
            alice.perform(MarkKind.START);
        }
        awaitState(ProcessState.RUNNING);
    }

    private void awaitState(ProcessState state) {
        await().atMost(LIMIT).until(() -> state().process() == state);
    }

    @AfterEach
    void clean_up() throws Exception {
        List<ChildProcess> ending;
        synchronized (this) {
            ending = alice.end(MarkKind.STOP).toList();
        }
        for (ChildProcess process : ending) {
            process.destroy();
            assertThat(process.endsWithin(LIMIT)).isTrue();
        }
        network.close();
        FileSystemUtils.deleteRecursively(processes.directory());
    }

    @Test
    void an_instance_that_waits_for_the_broker_has_no_actions() {
        assertThat(state().process()).isEqualTo(ProcessState.STARTING);
        assertThat(state().pid()).isNull();
        assertThat(actions()).isEmpty();
    }

    @Test
    void its_latest_report_is_its_state() {
        startAndAwait();
        await().atMost(LIMIT).until(() -> state().leadership().state() == State.LEADING); // the last report

        assertThat(state().leadership().token()).isEqualTo(17);
        assertThat(state().logs()).containsExactly(new NeliSnapshot.Log("neli", true, true, Optional.of("alice")));
        assertThat(List.copyOf(observations))
                .contains(
                        Observations.begun(1000, "alice", 17, 5000),
                        Observations.ended(1000, "alice", 17, 5000),
                        Observations.waiting(1000, "alice", 17, 6000, 5000L));
    }

    @Test
    void a_frozen_instance_can_be_killed_thawed_or_cut_off() {
        startAndAwait();
        perform("freeze");

        assertThat(state().process()).isEqualTo(ProcessState.FROZEN);
        assertThat(actions()).containsExactlyInAnyOrder("kill", "thaw", "cut");

        perform("thaw");

        assertThat(state().process()).isEqualTo(ProcessState.RUNNING);
        assertThat(List.copyOf(observations))
                .containsSubsequence(occurred(MarkKind.START), occurred(MarkKind.FREEZE), occurred(MarkKind.THAW));
    }

    @Test
    void a_killed_instance_can_be_started_again() {
        startAndAwait();
        Long pid = state().pid();
        perform("kill");
        awaitState(ProcessState.DOWN);

        assertThat(actions()).containsExactly("start");
        assertThat(state().pid()).isNull();

        perform("start");
        awaitState(ProcessState.RUNNING);

        assertThat(state().pid()).isNotNull().isNotEqualTo(pid);
    }

    @Test
    void an_instance_that_is_killed_while_it_starts_has_no_problem() {
        alice = instance("deaf");
        synchronized (this) {
            alice.perform(MarkKind.START);
        }
        perform("kill");
        awaitState(ProcessState.DOWN);

        assertThat(state().problem()).isNull();
    }

    @Test
    void an_instance_that_cannot_be_started_is_down_until_it_can() throws Exception {
        FileSystemUtils.deleteRecursively(processes.directory());
        assertThatThrownBy(() -> {
                    synchronized (this) {
                        alice.perform(MarkKind.START);
                    }
                })
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("alice cannot be started");

        assertThat(observations).isEmpty();
        assertThat(actions()).containsExactly("start");

        Files.createDirectory(processes.directory());
        startAndAwait();
    }

    @Test
    void a_stopped_instance_reports_until_its_end() {
        startAndAwait();
        perform("stop");
        awaitState(ProcessState.DOWN);

        assertThat(List.copyOf(observations))
                .contains(Observations.revoked(1000, "alice", 17, "CLOSING"))
                .last()
                .isEqualTo(new Observation.Exited(1000, "alice", 143));
    }

    @Test
    void an_action_that_makes_no_sense_is_refused_with_what_to_do_first() {
        startAndAwait();
        assertRefused("start", "alice is running already.");
        assertRefused("thaw", "alice is not frozen.");
        assertRefused("heal", "alice is not cut off.");
        perform("cut");
        assertRefused("cut", "alice is cut off already.");
        perform("heal");
        perform("freeze");
        assertRefused("stop", "alice is frozen; thaw it first.");
        perform("kill");
        awaitState(ProcessState.DOWN);
        assertRefused("resign", "alice is not running; start it first.");

        assertThatThrownBy(() -> perform("acquired")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void it_is_asked_to_resign_and_its_failed_writes_are_observed() {
        startAndAwait();
        perform("resign");

        Observation failed = Observations.written(1000, "alice", 17, 1, Outcome.FAILED, "resign");
        await().atMost(LIMIT).until(() -> observations.contains(failed));
        assertThat(List.copyOf(observations)).containsSubsequence(occurred(MarkKind.RESIGN), failed);
    }

    private static Observation occurred(MarkKind kind) {
        return new Observation.Occurred(1000, "alice", kind);
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
