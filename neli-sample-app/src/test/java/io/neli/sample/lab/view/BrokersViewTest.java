package io.neli.sample.lab.view;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.neli.NeliSnapshot;
import io.neli.sample.lab.history.History;
import io.neli.sample.lab.history.LatestReport.Leadership;
import io.neli.sample.lab.history.LatestReport.State;
import io.neli.sample.lab.history.MarkKind;
import io.neli.sample.lab.history.Observation;
import io.neli.sample.lab.view.LabState.Broker;
import io.neli.sample.lab.view.LabState.InstanceState;
import io.neli.sample.lab.view.LabState.ProcessState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Alice leads, with one broker or with three, and reports a problem. */
class BrokersViewTest {

    private static final NeliSnapshot.Log HELD = new NeliSnapshot.Log("neli", true, true, Optional.of("alice"));

    private final History history = new History(3000, Set.of("broker-1", "broker-2", "broker-3"));

    @Test
    void an_only_broker_has_one_button_that_names_it() {
        PageView view = view(List.of(), broker("broker", ProcessState.DOWN, "stop"));

        assertThat(view.setting()).contains("on one real Kafka broker.");
        assertThat(view.brokers())
                .containsExactly(new BrokerCard(
                        "broker",
                        "Broker",
                        "down",
                        "Broker down",
                        "127.0.0.1:9092",
                        List.of(new Button("stop", "start", "Start broker", null))));
        assertThat(view.timeline().rows()).extracting(Timeline.Row::name).containsExactly("alice", "broker");
    }

    @Test
    void each_of_three_brokers_has_a_state_and_buttons_of_its_own() {
        PageView view = view(
                List.of(),
                broker("broker-1", ProcessState.RUNNING, "thaw"),
                broker("broker-2", ProcessState.FROZEN, "freeze"),
                broker("broker-3", ProcessState.STOPPING, "stop", "start"));

        assertThat(view.setting()).contains("on three real Kafka brokers.");
        assertThat(view.brokers())
                .extracting(BrokerCard::text)
                .containsExactly("Broker 1 up", "Broker 2 frozen", "Broker 3 stopping");
        assertThat(view.brokers().get(0).buttons()).extracting(Button::label).containsExactly("Kill", "Freeze", "Stop");
        assertThat(view.brokers().get(1).buttons()).extracting(Button::label).containsExactly("Kill", "Thaw", "Stop");
        assertThat(view.brokers().get(2).buttons())
                .last()
                .isEqualTo(new Button("stop", "stop", "Stop", "broker-3 cannot stop."));
    }

    @Test
    void each_broker_has_a_row_of_its_own_on_the_timeline() {
        history.apply(new Observation.Occurred(60_000, "broker-2", MarkKind.KILL));

        PageView view = view(List.of(), three(ProcessState.RUNNING, ProcessState.DOWN, ProcessState.RUNNING));

        assertThat(view.timeline().rows())
                .filteredOn(Timeline.Row::broker)
                .satisfiesExactly(
                        first -> assertThat(first.marks()).isEmpty(),
                        second -> {
                            assertThat(second.marks())
                                    .extracting(Timeline.Symbol::kind)
                                    .containsExactly("kill");
                            assertThat(second.spans())
                                    .extracting(Timeline.Bar::kind)
                                    .containsExactly("down");
                        },
                        third -> assertThat(third.marks()).isEmpty());
        assertThat(view.events()).extracting(PageView.Line::text).containsExactly("broker-2: killed (SIGKILL)");
    }

    @ParameterizedTest
    @CsvSource({"RUNNING, DOWN, RUNNING, no rights", "RUNNING, DOWN, FROZEN, Cannot reach Kafka; retries."})
    void a_problem_is_explained_by_the_brokers_if_no_majority_of_them_is_up(
            ProcessState first, ProcessState second, ProcessState third, String note) {
        assertThat(view(List.of(), three(first, second, third))
                        .instances()
                        .get(0)
                        .note())
                .isEqualTo(note);
    }

    @Test
    void the_logs_are_those_that_the_leader_tells_of() {
        PageView view = view(
                List.of(
                        HELD,
                        new NeliSnapshot.Log("neli.1", false, true, Optional.of("alice")),
                        new NeliSnapshot.Log("neli.2", false, false, Optional.empty()),
                        new NeliSnapshot.Log("neli.3", true, false, Optional.empty()),
                        new NeliSnapshot.Log("neli.4", true, false, Optional.of("bob"))),
                three(ProcessState.RUNNING, ProcessState.RUNNING, ProcessState.RUNNING));

        assertThat(view.logs())
                .containsExactly(
                        new LogView("neli", "leading", true, "held by alice"),
                        new LogView("neli.1", "down", true, "held by alice, not readable"),
                        new LogView("neli.2", "down", false, "not readable"),
                        new LogView("neli.3", "standby", false, "not held"),
                        new LogView("neli.4", "standby", false, "held by bob"));
    }

    @Test
    void while_nobody_leads_an_instance_that_reaches_the_brokers_tells_of_the_logs() {
        List<NeliSnapshot.Log> logs = List.of(
                new NeliSnapshot.Log("neli", true, true, Optional.of("bob")),
                new NeliSnapshot.Log("neli.1", true, false, Optional.empty()));
        List<Broker> brokers = List.of(three(ProcessState.RUNNING, ProcessState.RUNNING, ProcessState.RUNNING));

        assertThat(view(
                                brokers,
                                instance("alice", State.STANDBY, true, logs),
                                instance("bob", State.STANDBY, false, logs))
                        .logs())
                .containsExactly(
                        new LogView("neli", "standby", false, "held by bob"),
                        new LogView("neli.1", "standby", false, "not held"));
        assertThat(view(brokers, instance("alice", State.STANDBY, true, logs)).logs())
                .isEmpty();
    }

    @Test
    void an_only_log_or_none_is_not_shown() {
        Broker[] brokers = three(ProcessState.RUNNING, ProcessState.RUNNING, ProcessState.RUNNING);

        assertThat(view(List.of(HELD), brokers).logs()).isEmpty();
        assertThat(view(List.of(), brokers).logs()).isEmpty();
    }

    private PageView view(List<NeliSnapshot.Log> logs, Broker... brokers) {
        return view(List.of(brokers), instance("alice", State.LEADING, false, logs));
    }

    private PageView view(List<Broker> brokers, InstanceState... instances) {
        return PageView.of(new LabState(70_000, 3000, brokers, List.of(instances), history.view()));
    }

    private static InstanceState instance(String name, State state, boolean cut, List<NeliSnapshot.Log> logs) {
        Leadership leadership = new Leadership(state, 17L, state == State.LEADING ? 2400L : null);
        return new InstanceState(name, 7L, ProcessState.RUNNING, cut, "no rights", leadership, logs, Map.of());
    }

    private static Broker[] three(ProcessState first, ProcessState second, ProcessState third) {
        return new Broker[] {broker("broker-1", first), broker("broker-2", second), broker("broker-3", third)};
    }

    private static Broker broker(String name, ProcessState state, String... impossible) {
        Map<String, String> refusals = new HashMap<>();
        for (String action : impossible) {
            refusals.put(action, name + " cannot " + action + ".");
        }
        return new Broker(name, "127.0.0.1:9092", state, refusals);
    }
}
