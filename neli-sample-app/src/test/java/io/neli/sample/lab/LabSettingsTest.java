package io.neli.sample.lab;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LabSettingsTest {

    @Test
    void are_those_that_an_instance_in_the_lab_has() {
        LabSettings settings = LabSettings.read(List.of());

        assertThat(settings.instances()).containsExactly("alice", "bob", "carol");
        assertThat(settings.roles()).hasSizeGreaterThan(3).startsWith("ledger");
        assertThat(settings.lease()).isEqualTo(Duration.ofSeconds(3));
        assertThat(settings.ledgerTopic()).isEqualTo(settings.group() + ".ledger");
        assertThat(settings.arguments()).isEmpty();
    }

    @Test
    void follow_the_arguments_for_neli_and_hand_only_those_on() {
        LabSettings settings = LabSettings.read(List.of(
                "--server.port=8484", "--neli.heartbeat-timeout=1s", "--neli.group-id=mine", "--neli.name=dave"));

        assertThat(settings.lease()).isEqualTo(Duration.ofSeconds(1));
        assertThat(settings.group()).isEqualTo("mine");
        assertThat(settings.arguments()).containsExactly("--neli.heartbeat-timeout=1s", "--neli.group-id=mine");
    }
}
