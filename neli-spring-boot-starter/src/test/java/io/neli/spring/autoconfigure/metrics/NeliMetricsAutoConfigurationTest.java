package io.neli.spring.autoconfigure.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.neli.Neli;
import io.neli.NeliMetrics;
import io.neli.spring.autoconfigure.NeliAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

class NeliMetricsAutoConfigurationTest {

    /** An election that never reaches Kafka. */
    private final ApplicationContextRunner election = new ApplicationContextRunner()
            .withPropertyValues("neli.group-id=billing", "neli.kafka.bootstrap-servers=localhost:1")
            .withConfiguration(AutoConfigurations.of(NeliAutoConfiguration.class, NeliMetricsAutoConfiguration.class));

    private final ApplicationContextRunner measured = election.withConfiguration(AutoConfigurations.of(
            MetricsAutoConfiguration.class,
            CompositeMeterRegistryAutoConfiguration.class,
            SimpleMetricsExportAutoConfiguration.class));

    private static double skipped(MeterRegistry registry) {
        return registry.get("neli.skipped")
                .tags("group", "billing", "role", Neli.DEFAULT_ROLE)
                .counter()
                .count();
    }

    @Test
    void the_election_is_measured_in_the_registry_of_the_application() {
        measured.run(context -> {
            assertThat(context.getBean(Neli.class).beginWork()).isEmpty();
            assertThat(skipped(context.getBean(MeterRegistry.class))).isEqualTo(1);
        });
    }

    @Test
    void each_of_several_registries_has_the_meters() {
        measured.withConfiguration(AutoConfigurations.of(PrometheusMetricsExportAutoConfiguration.class))
                .withBean("other", SimpleMeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> {
                    context.getBean(Neli.class).beginWork();
                    assertThat(context.getBeansOfType(MeterRegistry.class).values())
                            .hasSize(3)
                            .allSatisfy(
                                    registry -> assertThat(skipped(registry)).isEqualTo(1));
                });
    }

    @Test
    void the_meters_are_left_out_like_any_others() {
        measured.withPropertyValues("management.metrics.enable.neli=false").run(context -> {
            context.getBean(Neli.class).beginWork();
            assertThat(context.getBean(MeterRegistry.class).getMeters())
                    .noneMatch(meter -> meter.getId().getName().startsWith("neli"));
        });
    }

    @Test
    void a_recipient_of_the_application_is_notified_too() {
        NeliMetrics own = mock(NeliMetrics.class);
        measured.withBean(NeliMetrics.class, () -> own).run(context -> {
            context.getBean(Neli.class).beginWork("default");
            verify(own).workSkipped("default");
            assertThat(context).hasSingleBean(NeliMeterBinder.class);
        });
    }

    @Test
    void the_meters_back_off_for_those_of_the_application() {
        NeliMetrics own = mock(NeliMetrics.class);
        measured.withBean("neliMeterBinder", NeliMetrics.class, () -> own).run(context -> {
            context.getBean(Neli.class).beginWork();
            verify(own).workSkipped(Neli.DEFAULT_ROLE);
            assertThat(context).doesNotHaveBean(NeliMeterBinder.class);
        });
    }

    @Test
    void a_disabled_election_has_no_leader_to_miss() {
        measured.withPropertyValues("neli.enabled=false").run(context -> {
            context.getBean(Neli.class).beginWork();
            assertThat(context).hasNotFailed();
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(registry.find("neli.leader").gauges()).isEmpty();
            assertThat(registry.get("neli.problem").gauge().value()).isZero();
        });
    }

    @Test
    void without_a_registry_nothing_is_measured() {
        election.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(NeliMeterBinder.class));
    }
}
