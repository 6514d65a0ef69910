package io.neli.sample.lab;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LabSettingsTest {

    private final StandardEnvironment environment = new StandardEnvironment();

    @Test
    void the_lease_is_that_of_the_instances() {
        assertThat(LabSettings.of(List.of(), environment).lease()).isEqualTo(Duration.ofSeconds(3));

        environment.getPropertySources().addFirst(new MapPropertySource("test", Map.of("neli.lease-duration", "1s")));

        assertThat(LabSettings.of(List.of(), environment).lease()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void a_lease_without_a_unit_is_in_seconds_as_for_the_instances() {
        environment.getPropertySources().addFirst(new MapPropertySource("test", Map.of("neli.lease-duration", "10")));

        assertThat(LabSettings.of(List.of(), environment).lease()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void an_empty_setting_counts_as_left_out_as_for_the_instances() {
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("neli.quorum", "", "neli.lease-duration", "")));

        LabSettings settings = LabSettings.of(List.of("--brokers=3"), environment);
        assertThat(settings.quorum()).isEqualTo(3);
        assertThat(settings.lease()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void only_arguments_for_the_election_are_handed_on() {
        List<String> arguments = List.of(
                "--server.port=8484",
                "--neli.name=dave",
                "--neli.group-id=mine",
                "--neli.quorum=1",
                "--neli.lease-duration=5s");

        assertThat(LabSettings.of(arguments, environment).arguments()).containsExactly("--neli.lease-duration=5s");
    }

    @Test
    void there_is_one_broker_unless_three_are_asked_for() {
        assertThat(LabSettings.of(List.of(), environment).brokers()).isOne();
        assertThat(LabSettings.of(List.of("--brokers=1"), environment).brokers())
                .isOne();
        assertThat(LabSettings.of(List.of("--brokers=3"), environment).brokers())
                .isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--brokers=2", "--brokers=0", "--brokers=three", "--brokers=", "--brokers", "--brokers=03"})
    void another_number_of_brokers_is_refused_with_the_fix(String argument) {
        String value = argument.replaceFirst("--brokers=?", "");

        assertThatThrownBy(() -> LabSettings.of(List.of(argument), environment))
                .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                .hasMessageContaining("brokers with value '" + value + "'")
                .hasMessageContaining("start it with --brokers=3, or without for one");
    }

    @Test
    void on_three_brokers_the_instances_lead_by_a_majority_of_three_logs_unless_they_are_told_otherwise() {
        assertThat(LabSettings.of(List.of("--brokers=3"), environment).quorum()).isEqualTo(3);
        assertThat(LabSettings.of(List.of(), environment).quorum()).isOne();

        environment.getPropertySources().addFirst(new MapPropertySource("test", Map.of("neli.quorum", "1")));

        assertThat(LabSettings.of(List.of("--brokers=3"), environment).quorum()).isOne();
    }
}
