package io.neli.sample.lab;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the jar as a user starts it. */
@Timeout(600)
@DisabledOnOs(OS.WINDOWS)
class LabIT {

    @Test
    void another_instance_leads_after_a_kill_and_nothing_is_left_after_the_end() throws Exception {
        try (LabProcess lab = LabProcess.start()) {
            String killed = lab.awaitLeaderAndStandbys();

            lab.accepts("instances/" + killed + "/kill");

            lab.awaitLeader(killed);
            lab.assertLeavesNothing(lab::stop);
            assertThat(lab.output().lines().filter(line -> !line.isBlank()))
                    .as("what the user sees")
                    .hasSize(2);
        }
    }
}
