package io.neli.spring.autoconfigure.health;

import java.time.Duration;
import java.util.Map;

import io.neli.Neli;
import io.neli.NeliSnapshot;
import io.neli.spring.Snapshots;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

class NeliHealthContributorAutoConfigurationTest {

    private final Neli neli = mock(Neli.class);
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withBean(Neli.class, () -> neli)
            .withConfiguration(AutoConfigurations.of(NeliHealthContributorAutoConfiguration.class));

    @BeforeEach
    void start() {
        when(neli.snapshot()).thenReturn(Snapshots.connecting());
    }

    private Health healthOf(NeliSnapshot snapshot) {
        when(neli.snapshot()).thenReturn(snapshot);
        return new NeliHealthIndicator(neli, false).health();
    }

    @Test
    void a_leader_and_a_standby_are_up_and_show_who_leads() {
        Health health = healthOf(Snapshots.leading(Duration.ofMinutes(1), Duration.ofSeconds(2)));

        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails())
                .containsEntry("election", "RUNNING")
                .containsEntry("eligible", true)
                .containsEntry(
                        "roles",
                        Map.of(
                                "invoices",
                                Map.of("leading", true, "leader", "me"),
                                "reports",
                                Map.of("leading", true, "leader", "me"),
                                "mail",
                                Map.of("leading", false, "leader", "bob")))
                .doesNotContainKey("problem");
    }

    @Test
    void a_leader_whose_listeners_are_still_preparing_shows_for_how_long() {
        Duration second = Duration.ofSeconds(1);
        Health health = healthOf(Snapshots.leading(second, second, second));

        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails().get("roles"))
                .extracting("invoices")
                .isEqualTo(Map.of("leading", true, "leader", "me", "preparingFor", second));
    }

    @Test
    void a_member_on_its_way_to_kafka_is_up() {
        assertThat(healthOf(Snapshots.connecting()).getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void an_election_that_cannot_work_is_up_with_its_problem_or_down_if_that_is_wanted() {
        Health health = healthOf(Snapshots.failed("the leader topic is gone"));
        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails()).containsEntry("problem", "the leader topic is gone");

        runner.withPropertyValues("management.health.neli.down-when-failed=true")
                .run(context -> assertThat(context.getBean(NeliHealthIndicator.class)
                                .health()
                                .getStatus())
                        .isEqualTo(Status.DOWN));
    }

    @Test
    void a_value_of_that_property_that_is_no_boolean_is_refused_by_its_name() {
        runner.withPropertyValues("management.health.neli.down-when-failed=maybe")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("'management.health.neli.down-when-failed'"));
    }

    @Test
    void a_member_whose_listeners_fail_is_down() {
        assertThat(healthOf(Snapshots.unableToLead("no disk")).getStatus()).isEqualTo(Status.DOWN);
    }

    @Test
    void a_stopped_election_is_neither_up_nor_down_and_shows_whether_it_is_disabled() {
        Health stopped = healthOf(Snapshots.stopped());
        assertThat(stopped.getStatus()).isEqualTo(Status.UNKNOWN);
        assertThat(stopped.getDetails()).doesNotContainKey("disabled");

        Health disabled = healthOf(Neli.builder().startDisabled(true).snapshot());
        assertThat(disabled.getStatus()).isEqualTo(Status.UNKNOWN);
        assertThat(disabled.getDetails()).containsEntry("disabled", true);
    }

    @Test
    void an_election_that_cannot_be_asked_is_down() {
        when(neli.snapshot()).thenThrow(new IllegalStateException("meant to fail"));
        assertThat(new NeliHealthIndicator(neli, false).health().getStatus()).isEqualTo(Status.DOWN);
    }

    @Test
    void its_bean_has_the_name_that_shows_as_neli() {
        runner.run(context -> assertThat(context).hasBean("neliHealthIndicator").hasSingleBean(HealthIndicator.class));
    }

    @Test
    void it_backs_off_when_switched_off_or_replaced_or_without_election() {
        runner.withPropertyValues("management.health.neli.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthContributor.class));
        runner.withPropertyValues("management.health.defaults.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
        runner.withBean(
                        "neliHealthIndicator",
                        HealthIndicator.class,
                        () -> () -> Health.up().build())
                .run(context -> assertThat(context).doesNotHaveBean(NeliHealthIndicator.class));
        runner.withPropertyValues("management.health.neli-leader.enabled=true")
                .withBean(
                        "neliLeaderHealthIndicator",
                        HealthIndicator.class,
                        () -> () -> Health.up().build())
                .run(context -> assertThat(context).doesNotHaveBean(CompositeHealthContributor.class));
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(NeliHealthContributorAutoConfiguration.class))
                .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
    }
}
