package io.neli.sample.lab;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

class LabSettingsTest {

    private final StandardEnvironment environment = new StandardEnvironment();

    @Test
    void the_lease_is_that_of_the_instances() {
        assertThat(LabSettings.of(List.of(), environment).lease()).isEqualTo(Duration.ofSeconds(3));

        environment.getPropertySources().addFirst(new MapPropertySource("test", Map.of("neli.lease-duration", "1s")));

        assertThat(LabSettings.of(List.of(), environment).lease()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void only_arguments_for_neli_are_handed_on() {
        List<String> arguments = List.of("--server.port=8484", "--neli.group-id=mine", "--neli.name=dave");

        assertThat(LabSettings.of(arguments, environment).arguments()).containsExactly("--neli.group-id=mine");
    }
}
