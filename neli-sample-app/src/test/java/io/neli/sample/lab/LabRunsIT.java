package io.neli.sample.lab;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the jar as a user starts it, with its scheduled job. If a takeover lasts until the next due time, as on a slow
 * machine, the lab counts the earlier time separately.
 */
@Tag("proof")
@Timeout(600)
@DisabledOnOs(OS.WINDOWS)
class LabRunsIT {

    @Test
    void no_run_is_missed_or_repeated_when_one_leader_is_killed_and_the_next_is_frozen_during_a_run() throws Exception {
        try (LabProcess lab = LabProcess.start()) {
            lab.awaitLeaderAndStandbys();

            String killed = awaitRunning(lab);
            lab.accepts("processes/" + killed + "/kill");
            String frozen = awaitRunning(lab, killed);
            lab.accepts("processes/" + frozen + "/freeze");
            String last = awaitRunning(lab, killed, frozen);
            assertThat(last).isNotIn(killed, frozen);
            assertNoneIsMissedOrRepeated(awaitRunAfter(lab, lab.view()));

            lab.accepts("processes/" + frozen + "/thaw");
            lab.accepts("processes/" + killed + "/start");
            lab.awaitLeaderAndStandbys();
            assertNoneIsMissedOrRepeated(awaitRunAfter(lab, awaitRunAfter(lab, lab.view())));
        }
    }

    /** Waits until an instance other than these is in the middle of a run, and returns its name. */
    private static String awaitRunning(LabProcess lab, String... others) {
        JsonNode view = lab.await(
                "a run of another than " + List.of(others),
                now -> running(now, others).findAny().isPresent());
        return running(view, others).findAny().orElseThrow();
    }

    private static Stream<String> running(JsonNode view, String... others) {
        return runs(view)
                .filter(run -> run.path("kind").asString().equals("running"))
                .map(run -> run.path("instance").asString())
                .filter(instance -> !List.of(others).contains(instance));
    }

    /** Waits until a run has ended that is due later than all runs in {@code view}, and returns what is then shown. */
    static JsonNode awaitRunAfter(LabProcess lab, JsonNode view) {
        long shown = runs(view).mapToLong(LabRunsIT::due).max().orElse(0);
        return lab.await("the end of a run after " + shown, now -> runs(now)
                .anyMatch(run -> due(run) > shown
                        && List.of("ended", "late", "again", "repeated")
                                .contains(run.path("kind").asString())));
    }

    static void assertNoneIsMissedOrRepeated(JsonNode view) {
        assertThat(view.at("/schedule/summary").asString())
                .as(() -> view.path("schedule").toPrettyString())
                .startsWith("missed 0, repeated 0");
    }

    private static Stream<JsonNode> runs(JsonNode view) {
        return view.at("/schedule/runs").valueStream();
    }

    private static long due(JsonNode run) {
        return Long.parseLong(run.path("key").asString());
    }
}
