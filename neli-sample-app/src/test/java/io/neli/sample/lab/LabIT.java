package io.neli.sample.lab;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import tools.jackson.databind.JsonNode;

import static io.neli.sample.lab.LabProcess.instance;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The jar as the README's first command starts it. Six processes at a time. */
@Timeout(900)
@DisabledOnOs(OS.WINDOWS)
class LabIT {

    @Test
    void whatever_is_done_to_the_leader_another_leads_and_the_page_is_told_why_and_how_long_it_took() throws Exception {
        try (LabProcess lab = LabProcess.start()) {
            String killed = lab.awaitLeader();
            lab.awaitAllRunning();

            assertThat(lab.press("instances/" + killed + "/kill")).isEqualTo(204);
            String frozen = lab.awaitLeader(killed);
            assertThat(awaitChange(lab, "KILL").path("millis").asLong()).isPositive();
            assertThat(lab.press("instances/" + killed + "/kill")).isEqualTo(409);
            assertThat(lab.press("instances/" + killed + "/start")).isEqualTo(204);
            lab.awaitAllRunning();

            awaitWriteOf(lab, frozen);
            assertThat(lab.press("instances/" + frozen + "/freeze")).isEqualTo(204);
            String cut = lab.awaitLeader(frozen);
            awaitChange(lab, "FREEZE");
            awaitWriteOf(lab, cut);
            JsonNode zombie = awaitElement(lab, "/history/terms", "end", "SUPERSEDED");
            assertThat(zombie.path("instance").asString("")).isEqualTo(frozen);
            assertThat(lab.press("instances/" + frozen + "/thaw")).isEqualTo(204);
            JsonNode refused = awaitEntry(lab, "REFUSED");
            assertThat(refused.path("instance").asString("")).isEqualTo(frozen);
            assertThat(refused.path("token")).isEqualTo(zombie.path("token"));
            lab.awaitAllRunning();

            assertThat(lab.press("instances/" + cut + "/cut")).isEqualTo(204);
            String resigned = lab.awaitLeader(cut);
            awaitChange(lab, "CUT");
            assertThat(lab.press("instances/" + cut + "/heal")).isEqualTo(204);
            lab.awaitAllRunning();

            assertThat(lab.press("instances/" + resigned + "/resign")).isEqualTo(204);
            String stopped = lab.awaitLeader(resigned);
            assertThat(awaitChange(lab, "RESIGN").path("planned").asBoolean()).isTrue();

            assertThat(lab.press("instances/" + stopped + "/stop")).isEqualTo(204);
            lab.awaitLeader(stopped);
            assertThat(awaitChange(lab, "STOP").path("planned").asBoolean()).isTrue();
            lab.await(stopped + " has ended", present -> instance(present, stopped)
                    .path("process")
                    .asString("")
                    .equals("DEAD"));
            assertThat(lab.press("instances/" + stopped + "/start")).isEqualTo(204);

            assertThat(lab.press("broker/stop")).isEqualTo(204);
            awaitBroker(lab, "DOWN");
            lab.await("nobody leads", present -> present.at("/history/gaps")
                    .valueStream()
                    .anyMatch(gap -> gap.path("role").asString("").equals("ledger")
                            && gap.path("to").isNull()));
            assertThat(lab.press("broker/start")).isEqualTo(204);
            awaitBroker(lab, "UP");
            lab.awaitLeader();
            awaitChange(lab, "BROKER");

            assertLeavesNothing(lab, lab::stop);
            assertThat(lab.output().lines().filter(line -> !line.isBlank()))
                    .as("what the user sees")
                    .hasSize(2);
        }
    }

    @Test
    void a_lab_that_is_killed_leaves_nothing_not_even_an_instance_that_is_frozen_while_the_broker_is_down()
            throws Exception {
        try (LabProcess lab = LabProcess.start("--neli.heartbeat-timeout=1s", "--neli.heartbeat-interval=200ms")) {
            lab.awaitLeader();
            assertThat(lab.present().at("/lab/lease").asLong()).isEqualTo(1000);
            lab.awaitAllRunning();
            assertThat(lab.press("instances/bob/freeze")).isEqualTo(204);
            assertThat(lab.press("broker/stop")).isEqualTo(204);
            awaitBroker(lab, "DOWN");

            assertLeavesNothing(lab, lab::kill);
        }
    }

    private static void assertLeavesNothing(LabProcess lab, Runnable end) throws Exception {
        List<ProcessHandle> processes = lab.descendants();
        assertThat(processes).hasSizeGreaterThanOrEqualTo(4);
        assertThat(lab.directory()).isDirectory();

        end.run();

        lab.awaitEnd();
        await().atMost(LabProcess.LIMIT).until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
        assertThat(lab.directory()).doesNotExist();
    }

    private static void awaitBroker(LabProcess lab, String state) {
        lab.await(
                "the broker is " + state,
                present -> present.at("/lab/broker/state").asString("").equals(state));
    }

    private static JsonNode awaitChange(LabProcess lab, String cause) {
        return awaitElement(lab, "/history/changes", "cause", cause);
    }

    /** So that the broker refuses, from now on, what an earlier leader writes. */
    private static void awaitWriteOf(LabProcess lab, String leader) {
        lab.await("the newest entry is of " + leader, present -> elements(
                        present, "/ledger/entries", "state", "COMMITTED")
                .findFirst()
                .filter(entry -> entry.path("instance").asString("").equals(leader))
                .isPresent());
    }

    private static JsonNode awaitEntry(LabProcess lab, String state) {
        return awaitElement(lab, "/ledger/entries", "state", state);
    }

    /** The first such element about the ledger. */
    private static JsonNode awaitElement(LabProcess lab, String list, String field, String value) {
        JsonNode present = lab.await(
                list + " has one with " + field + " " + value,
                node -> elements(node, list, field, value).findAny().isPresent());
        return elements(present, list, field, value).findFirst().orElseThrow();
    }

    private static Stream<JsonNode> elements(JsonNode present, String list, String field, String value) {
        return present.at(list)
                .valueStream()
                .filter(element -> element.path("role").asString("ledger").equals("ledger")
                        && element.path(field).asString("").equals(value));
    }
}
