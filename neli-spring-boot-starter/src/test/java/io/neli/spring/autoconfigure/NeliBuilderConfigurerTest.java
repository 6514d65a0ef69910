package io.neli.spring.autoconfigure;

import java.time.Duration;
import java.util.Map;

import io.neli.Mode;
import io.neli.Neli;
import io.neli.NeliBuilder;
import io.neli.NeliException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class NeliBuilderConfigurerTest {

    private static final Map<String, Object> CLIENT = Map.of("bootstrap.servers", "broker:9092");

    @Test
    void each_property_reaches_the_builder() {
        NeliBuilder configured = configured(
                Map.ofEntries(
                        Map.entry("neli.fail-fast", "30s"),
                        Map.entry("neli.group-id", "billing"),
                        Map.entry("neli.topic.name", "leaders"),
                        Map.entry("neli.name", "billing-1"),
                        Map.entry("neli.partitions", "4"),
                        Map.entry("neli.roles", "invoices, reports"),
                        Map.entry("neli.mode", "non-exclusive"),
                        Map.entry("neli.heartbeat-interval", "100ms"),
                        Map.entry("neli.lease-duration", "1s"),
                        Map.entry("neli.handover-timeout", "5s"),
                        Map.entry("neli.candidate", "false"),
                        Map.entry("neli.priority", "-2"),
                        Map.entry("neli.metadata.url", "http://me:8080"),
                        Map.entry("neli.work.interrupt-on-fence", "false"),
                        Map.entry("neli.work.limit", "10m"),
                        Map.entry("neli.work.warn-after", "1m"),
                        Map.entry("neli.topic.create", "false"),
                        Map.entry("neli.topic.replication-factor", "2"),
                        Map.entry("neli.topic.retention", "3h")),
                null);

        assertThat(configured)
                .usingRecursiveComparison()
                .isEqualTo(Neli.builder()
                        .kafka(CLIENT)
                        .failFast(Duration.ofSeconds(30))
                        .groupId("billing")
                        .topic("leaders")
                        .name("billing-1")
                        .partitions(4)
                        .roles("invoices", "reports")
                        .mode(Mode.NON_EXCLUSIVE)
                        .heartbeatInterval(Duration.ofMillis(100))
                        .leaseDuration(Duration.ofSeconds(1))
                        .handoverTimeout(Duration.ofSeconds(5))
                        .candidate(false)
                        .priority(-2)
                        .metadata(Map.of("url", "http://me:8080"))
                        .interruptOnFence(false)
                        .workLimit(Duration.ofMinutes(10))
                        .workWarnAfter(Duration.ofMinutes(1))
                        .createTopic(false)
                        .replicationFactor(2)
                        .retention(Duration.ofHours(3)));
    }

    @Test
    void what_is_not_set_has_the_default_of_the_builder() {
        assertThat(configured(Map.of("neli.group-id", "billing", "neli.topic.name", "", "neli.name", ""), null))
                .usingRecursiveComparison()
                .isEqualTo(Neli.builder().kafka(CLIENT).groupId("billing"));
    }

    /** Otherwise two environments that both lack the variable would be one group. */
    @ParameterizedTest
    @ValueSource(strings = {"neli.group-id", "neli.name", "neli.roles", "neli.metadata.url"})
    void a_placeholder_without_a_value_is_refused(String property) {
        assertThatThrownBy(() -> configured(Map.of(property, "a-${NO_SUCH_VARIABLE}"), "shop"))
                .isInstanceOf(NeliException.class)
                .hasMessage(
                        property + " is 'a-${NO_SUCH_VARIABLE}': the placeholder has no value; set what it names, or"
                                + " give it a default: ${name:default}");
    }

    @Test
    void roles_may_be_listed_one_by_one() {
        assertThat(configured(Map.of("neli.roles[0]", "invoices", "neli.roles[1]", "reports"), "shop"))
                .usingRecursiveComparison()
                .isEqualTo(Neli.builder().kafka(CLIENT).groupId("shop").roles("invoices", "reports"));
    }

    @Test
    void the_group_is_the_application_s_name_unless_it_is_set() {
        assertThat(configured(Map.of(), "shop"))
                .usingRecursiveComparison()
                .isEqualTo(Neli.builder().kafka(CLIENT).groupId("shop"));
        assertThat(configured(Map.of("neli.group-id", "billing"), "shop"))
                .usingRecursiveComparison()
                .isEqualTo(Neli.builder().kafka(CLIENT).groupId("billing"));
    }

    @Test
    void without_group_and_application_name_the_message_says_what_to_set() {
        assertThatThrownBy(() -> configured(Map.of("neli.group-id", " "), "").build())
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll("neli.group-id is", "name the group", "spring.application.name");
    }

    private static NeliBuilder configured(Map<String, String> properties, String applicationName) {
        NeliBuilder builder = Neli.builder().kafka(CLIENT);
        new NeliBuilderConfigurer(bound(properties), applicationName).configure(builder);
        return builder;
    }

    static NeliProperties bound(Map<String, ?> properties) {
        return new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate("neli", NeliProperties.class);
    }
}
