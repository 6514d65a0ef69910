package io.neli.sample.lab;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the jar as a user starts it, and causes every fault. */
@Tag("proof")
@Timeout(1800)
@DisabledOnOs(OS.WINDOWS)
class LabFaultsIT {

    /** So many freezes do not all happen between two writes. */
    private static final int FREEZES = 5;

    @Test
    void after_every_fault_another_instance_leads_and_the_lab_shows_the_cause_and_the_time() throws Exception {
        try (LabProcess lab = LabProcess.start()) {
            refuseWrite(lab);
            awaitChange(lab, "frozen");

            String killed = lab.awaitLeaderAndStandbys();
            lab.accepts("processes/" + killed + "/kill");
            lab.awaitLeader(killed);
            assertThat(awaitChange(lab, "killed").path("took").asString()).matches("[\\d.]+ (ms|s|min \\d+ s)");
            lab.awaitState(killed, "down");
            assertThat(lab.send("processes/" + killed + "/kill")).isEqualTo(409);
            lab.accepts("processes/" + killed + "/start");

            String cut = lab.awaitLeaderAndStandbys();
            lab.accepts("processes/" + cut + "/cut");
            lab.awaitLeader(cut);
            awaitChange(lab, "cut off");
            lab.accepts("processes/" + cut + "/heal");

            String resigned = lab.awaitLeaderAndStandbys();
            lab.accepts("processes/" + resigned + "/resign");
            lab.awaitLeader(resigned);
            assertThat(awaitChange(lab, "resigned").path("planned").asBoolean()).isTrue();

            String stopped = lab.awaitLeaderAndStandbys();
            lab.accepts("processes/" + stopped + "/stop");
            lab.awaitLeader(stopped);
            assertThat(awaitChange(lab, "stopped").path("planned").asBoolean()).isTrue();
            lab.awaitState(stopped, "down");
            lab.accepts("processes/" + stopped + "/start");

            lab.accepts("processes/broker/stop");
            awaitBroker(lab, "down");
            lab.await("nobody leads", view -> view.at("/headline/lost").asBoolean());
            lab.accepts("processes/broker/start");
            awaitBroker(lab, "up");
            lab.awaitLeader();
            awaitChange(lab, "broker down");

            LabRunsIT.assertNoneIsMissedOrRepeated(LabRunsIT.awaitRunAfter(lab, lab.view()));
            lab.assertLeavesNothing(lab::stop);
            assertThat(lab.output().lines().filter(line -> !line.isBlank()))
                    .as("what the user sees")
                    .hasSize(2);
        }
    }

    /** Freezes leaders until a write is refused: one that is frozen between two writes has no write to refuse. */
    private static void refuseWrite(LabProcess lab) throws Exception {
        for (int freeze = 1; freeze <= FREEZES; freeze++) {
            lab.awaitLeaderAndStandbys();
            lab.await("a write of the leader", view -> newestWriter(view).equals(Optional.of(LabProcess.leader(view))));
            String frozen = lab.awaitLeader();
            List<String> earlier = refusals(lab.view(), frozen);
            lab.accepts("processes/" + frozen + "/freeze");
            lab.awaitLeader(frozen);
            // From this write on, the broker refuses writes of an earlier leader.
            lab.await("a write of another than " + frozen, view -> newestWriter(view)
                    .filter(writer -> !writer.equals(frozen))
                    .isPresent());
            lab.accepts("processes/" + frozen + "/thaw");
            // Its write ends before it stops being shown as fenced.
            JsonNode view = lab.await(
                    "the end of the write of " + frozen,
                    now -> !earlier.containsAll(refusals(now, frozen))
                            || LabProcess.stateOf(now, frozen).equals("standby")
                            || LabProcess.leader(now).equals(frozen));
            if (!earlier.containsAll(refusals(view, frozen))) {
                return;
            }
        }
        throw new AssertionError("After " + FREEZES + " freezes no write was refused.");
    }

    @Test
    void a_killed_lab_leaves_nothing_not_even_a_frozen_instance_while_the_broker_is_down() throws Exception {
        try (LabProcess lab = LabProcess.start()) {
            lab.awaitLeaderAndStandbys();
            lab.accepts("processes/bob/freeze");
            lab.accepts("processes/broker/stop");
            awaitBroker(lab, "down");

            lab.assertLeavesNothing(lab::kill);
        }
    }

    private static void awaitBroker(LabProcess lab, String state) {
        lab.await(
                "the broker is " + state,
                view -> view.at("/brokers/0/state").asString().equals(state));
    }

    private static JsonNode awaitChange(LabProcess lab, String cause) {
        JsonNode view = lab.await(
                "a change with the cause " + cause,
                now -> changes(now, cause).findAny().isPresent());
        return changes(view, cause).findFirst().orElseThrow();
    }

    private static Stream<JsonNode> changes(JsonNode view, String cause) {
        return elements(view, "/failovers/changes", "why", cause);
    }

    /** The instance that wrote the newest entry. */
    private static Optional<String> newestWriter(JsonNode view) {
        return elements(view, "/writes/entries", "outcome", "committed")
                .findFirst()
                .map(entry -> entry.path("instance").asString());
    }

    /** The keys of the entries that an instance could not write. */
    private static List<String> refusals(JsonNode view, String instance) {
        return elements(view, "/writes/entries", "outcome", "refused")
                .filter(entry -> entry.path("instance").asString().equals(instance))
                .map(entry -> entry.path("key").asString())
                .toList();
    }

    private static Stream<JsonNode> elements(JsonNode view, String list, String field, String value) {
        return view.at(list)
                .valueStream()
                .filter(element -> element.path(field).asString().equals(value));
    }
}
