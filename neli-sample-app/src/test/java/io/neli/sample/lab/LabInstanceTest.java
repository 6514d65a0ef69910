package io.neli.sample.lab;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.neli.sample.lab.LabView.InstanceView;
import io.neli.sample.lab.LabView.ProcessState;
import io.neli.sample.lab.history.Lane;
import io.neli.sample.lab.history.LedgerEntry;
import io.neli.sample.lab.history.MarkKind;
import io.neli.sample.lab.history.Observation;
import io.neli.sample.lab.process.ChildProcess;
import io.neli.sample.lab.process.JavaCommand;
import io.neli.sample.lab.process.LabDirectory;
import io.neli.sample.lab.process.Link;
import io.neli.sample.lab.process.StandIn;
import io.neli.sample.lab.web.RefusedControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** An instance whose process is a {@link StandIn}. */
@Timeout(120)
@DisabledOnOs(OS.WINDOWS)
class LabInstanceTest {

    private static final Duration LIMIT = Duration.ofSeconds(40);

    private final LabClock clock = new LabClock();
    private final LabThread thread = new LabThread();
    private final List<Observation> observations = new CopyOnWriteArrayList<>();
    private final List<LedgerEntry> ledger = new CopyOnWriteArrayList<>();
    private final List<String> printed = new CopyOnWriteArrayList<>();

    private LabDirectory directory;
    private Link link;
    private LabInstance alice;

    @BeforeEach
    void start() throws Exception {
        directory = LabDirectory.create();
        link = Link.open("alice", 1);
        Scene scene = new Scene(clock, thread, observations::add, ledger::add);
        alice = new LabInstance("alice", link, new Lane(List.of("ledger")), scene, this::launch);
        thread.execute(alice::start);
        thread.executeEvery(Duration.ofMillis(100), alice::tick);
        awaitState(ProcessState.RUNNING);
    }

    @AfterEach
    void cleanUp() throws Exception {
        for (ChildProcess process : thread.call(() -> alice.end().toList()).get()) {
            process.kill();
            assertThat(process.awaitEnd(LIMIT)).isTrue();
        }
        link.close();
        thread.close();
        directory.delete();
    }

    @Test
    void a_leader_is_frozen_in_the_middle_of_a_write() throws Exception {
        await().atMost(LIMIT)
                .until(() -> !view().roles().isEmpty() && view().roles().get(0).token() != null);

        perform(Action.FREEZE);

        assertThat(view().process()).isEqualTo(ProcessState.FROZEN);
        assertThat(view().actions()).containsExactly("kill", "thaw", "cut");
        assertThat(List.copyOf(printed)).last().asString().contains("BEGUN");
        assertThat(List.copyOf(observations))
                .filteredOn(LabInstanceTest::isFreeze)
                .hasSize(1);

        int silent = printed.size();
        perform(Action.THAW);
        await().atMost(LIMIT).until(() -> printed.size() > silent);
        assertThat(view().process()).isEqualTo(ProcessState.RUNNING);
    }

    @Test
    void one_that_waits_for_the_broker_can_be_left_alone_only() throws Exception {
        Scene scene = new Scene(clock, thread, observations::add, ledger::add);
        LabInstance bob = new LabInstance("bob", link, new Lane(List.of("ledger")), scene, this::launch);

        InstanceView view = thread.call(() -> bob.view(clock.now())).get(LIMIT.toSeconds(), TimeUnit.SECONDS);

        assertThat(view.process()).isEqualTo(ProcessState.STARTING);
        assertThat(view.pid()).isNull();
        assertThat(view.actions()).isEmpty();
    }

    @Test
    void one_that_is_killed_can_be_started_again() throws Exception {
        Long pid = view().pid();
        perform(Action.KILL);
        awaitState(ProcessState.DEAD);
        assertThat(view().actions()).containsExactly("start");
        assertThat(view().pid()).isNull();

        perform(Action.START);
        awaitState(ProcessState.RUNNING);
        assertThat(view().pid()).isNotNull().isNotEqualTo(pid);
    }

    @Test
    void one_that_is_stopped_ends_by_itself() throws Exception {
        perform(Action.STOP);
        awaitState(ProcessState.DEAD);

        assertThat(List.copyOf(observations)).hasAtLeastOneElementOfType(Observation.Revoked.class);
        assertThat(List.copyOf(observations))
                .last()
                .isInstanceOfSatisfying(Observation.Exited.class, exited -> assertThat(exited.instance())
                        .isEqualTo("alice"));
    }

    @Test
    void what_makes_no_sense_is_refused_with_what_to_do_first() throws Exception {
        assertRefused(Action.START, "alice runs already");
        assertRefused(Action.THAW, "alice is not frozen");
        assertRefused(Action.HEAL, "alice is not cut from the broker");
        perform(Action.CUT);
        assertRefused(Action.CUT, "alice is cut from the broker already");
        perform(Action.HEAL);
        perform(Action.FREEZE);
        assertRefused(Action.STOP, "alice is frozen; thaw it first");
        perform(Action.KILL);
        awaitState(ProcessState.DEAD);
        assertRefused(Action.RESIGN, "alice is not running; start it first");
    }

    @Test
    void one_is_told_to_resign_and_what_it_writes_in_vain_is_recorded() throws Exception {
        perform(Action.RESIGN);

        await().atMost(LIMIT).until(() -> !ledger.isEmpty());
        assertThat(ledger.get(0).state()).isEqualTo(LedgerEntry.State.FAILED);
        assertThat(ledger.get(0).reason()).isEqualTo("resign");
        assertThat(List.copyOf(observations)).contains(new Observation.Done(resignedAt(), "alice", MarkKind.RESIGN));
    }

    private long resignedAt() {
        return List.copyOf(observations).stream()
                .filter(seen -> seen instanceof Observation.Done done && done.kind() == MarkKind.RESIGN)
                .findFirst()
                .orElseThrow()
                .at();
    }

    private static boolean isFreeze(Observation observation) {
        return observation instanceof Observation.Done done && done.kind() == MarkKind.FREEZE;
    }

    private ChildProcess launch(Processes.Listener listener) throws IOException {
        List<String> command = JavaCommand.of(directory, "32m", List.of(), StandIn.class.getName());
        return ChildProcess.start("alice", command, directory.log("alice"), new ChildProcess.Listener() {
            @Override
            public void printed(String line) {
                printed.add(line);
                thread.execute(() -> listener.printed(line, clock.now()));
            }

            @Override
            public void exited(int code) {
                thread.execute(() -> listener.exited(code, clock.now()));
            }
        });
    }

    private void perform(Action action) throws Exception {
        CompletableFuture<Void> done = thread.call(() -> alice.perform(action)).thenCompose(Function.identity());
        done.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private void assertRefused(Action action, String message) {
        assertThatThrownBy(() -> perform(action))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(RefusedControlException.class)
                .hasMessage(message);
    }

    private InstanceView view() throws Exception {
        return thread.call(() -> alice.view(clock.now())).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private void awaitState(ProcessState state) {
        await().atMost(LIMIT).until(() -> view().process() == state);
    }
}
