package io.neli.sample.lab;

import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** The jar as a user starts it, with every fault. */
@Tag("proof")
@Timeout(900)
@DisabledOnOs(OS.WINDOWS)
class LabFaultsIT {

    @Test
    void after_every_fault_another_instance_leads_and_the_lab_shows_the_cause_and_the_time() throws Exception {
        try (LabProcess lab = LabProcess.start()) {
            String killed = lab.awaitLeader();
            lab.awaitStates("leading", "standby");
            lab.accepts("instances/" + killed + "/kill");
            String frozen = lab.awaitLeader(killed);
            assertThat(awaitChange(lab, "killed").path("took").asString()).matches("[\\d.]+ (ms|s)");
            assertThat(lab.send("instances/" + killed + "/kill")).isEqualTo(409);
            lab.accepts("instances/" + killed + "/start");
            lab.awaitStates("leading", "standby");

            JsonNode refused = refuseWriteOf(lab, frozen);
            assertThat(refused.path("instance").asString()).isEqualTo(frozen);
            String cut = lab.awaitLeader();

            lab.awaitStates("leading", "standby");
            lab.accepts("instances/" + cut + "/cut");
            String resigned = lab.awaitLeader(cut);
            awaitChange(lab, "cut off");
            lab.accepts("instances/" + cut + "/heal");

            lab.awaitStates("leading", "standby");
            lab.accepts("instances/" + resigned + "/resign");
            String stopped = lab.awaitLeader(resigned);
            assertThat(awaitChange(lab, "resigned").path("planned").asBoolean()).isTrue();

            lab.accepts("instances/" + stopped + "/stop");
            lab.awaitLeader(stopped);
            assertThat(awaitChange(lab, "stopped").path("planned").asBoolean()).isTrue();
            lab.awaitState(stopped, "down");
            lab.accepts("instances/" + stopped + "/start");

            lab.accepts("brokers/broker/stop");
            awaitBroker(lab, "down");
            lab.await("nobody leads", view -> view.at("/headline/lost").asBoolean());
            lab.accepts("brokers/broker/start");
            awaitBroker(lab, "up");
            lab.awaitLeader();
            awaitChange(lab, "broker down");

            lab.assertLeavesNothing(lab::stop);
        }
    }

    private static JsonNode refuseWriteOf(LabProcess lab, String leader) throws Exception {
        awaitWriteOf(lab, leader);
        lab.accepts("instances/" + leader + "/freeze");
        String next = lab.awaitLeader(leader);
        awaitChange(lab, "frozen");
        awaitWriteOf(lab, next);
        lab.accepts("instances/" + leader + "/thaw");
        return awaitElement(lab, "/writes/entries", "outcome", "refused");
    }

    @Test
    void a_killed_lab_leaves_nothing_not_even_a_frozen_instance_while_the_broker_is_down() throws Exception {
        try (LabProcess lab = LabProcess.start("--neli.lease-duration=1s", "--neli.heartbeat-interval=200ms")) {
            lab.awaitLeader();
            lab.awaitStates("leading", "standby");
            lab.accepts("instances/bob/freeze");
            lab.accepts("brokers/broker/stop");
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
        return awaitElement(lab, "/failovers/changes", "why", cause);
    }

    /** From then on the broker refuses what an earlier leader writes. */
    private static void awaitWriteOf(LabProcess lab, String leader) {
        lab.await("the newest entry is of " + leader, view -> elements(view, "/writes/entries", "outcome", "committed")
                .findFirst()
                .filter(entry -> entry.path("instance").asString().equals(leader))
                .isPresent());
    }

    private static JsonNode awaitElement(LabProcess lab, String list, String field, String value) {
        JsonNode view = lab.await(
                list + " with " + field + " " + value,
                node -> elements(node, list, field, value).findAny().isPresent());
        return elements(view, list, field, value).findFirst().orElseThrow();
    }

    private static Stream<JsonNode> elements(JsonNode view, String list, String field, String value) {
        return view.at(list)
                .valueStream()
                .filter(element -> element.path(field).asString().equals(value));
    }
}
