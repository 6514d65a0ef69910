package io.neli.spring.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class UnknownPropertiesTest {

    private final StandardEnvironment environment = new StandardEnvironment();

    @Test
    void a_misspelt_property_is_named_with_its_place_but_without_its_value(CapturedOutput output) throws IOException {
        yaml(
                """
                neli:
                  lease-duration: 3s
                  lease-duratoin: 5s
                  work.limitt: 1m
                  nats.pasword: secret
                """);

        UnknownProperties.warn(environment);

        assertThat(output)
                .contains("neli.lease-duratoin is set in")
                .contains("3:19, but there is no such property, so it has no effect; correct or remove it")
                .contains("neli.work.limitt is set in", "neli.nats.pasword is set in")
                .doesNotContain("neli.lease-duration", "secret");
    }

    @Test
    void nothing_is_said_of_properties_that_exist(CapturedOutput output) throws IOException {
        yaml(
                """
                neli:
                  group-id: billing
                  roles: [invoices, reports]
                  metadata.url: http://alice
                  kafka.properties[sasl.mechanism]: PLAIN
                  topic.retention: 2h
                  scheduling.skip-observations: false
                other.property: 1
                """);
        yaml("neli.scheduling: # nothing yet");

        UnknownProperties.warn(environment);

        assertThat(output).doesNotContain("no such property");
    }

    /** As with {@code neli.priority: ${PRIORITY:}}, where the variable is missing. */
    @Test
    void an_empty_value_means_not_set(CapturedOutput output) {
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "test",
                        Map.of(
                                "neli.priority", "${NO_SUCH_VARIABLE:}",
                                "neli.work.limit", "",
                                "neli.mode", "",
                                "neli.moed", "")));

        UnknownProperties.warn(environment);

        assertThat(output)
                .contains("neli.moed is set in")
                .doesNotContain("neli.priority", "neli.work.limit", "neli.mode ");
    }

    /** Other programs may use variables of such names. */
    @Test
    void environment_variables_are_not_checked(CapturedOutput output) {
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                Map.of("NELI_HOME", "/opt/neli")));

        UnknownProperties.warn(environment);

        assertThat(output).doesNotContain("no such property");
    }

    /** Reported when the properties are bound for the election. */
    @Test
    void an_invalid_value_is_left_to_others(CapturedOutput output) {
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("neli.lease-duration", "three", "neli.lease", "3s")));

        UnknownProperties.warn(environment);

        assertThat(output).doesNotContain("three");
    }

    private void yaml(String text) throws IOException {
        new YamlPropertySourceLoader()
                .load("application.yml", new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)))
                .forEach(environment.getPropertySources()::addFirst);
    }
}
