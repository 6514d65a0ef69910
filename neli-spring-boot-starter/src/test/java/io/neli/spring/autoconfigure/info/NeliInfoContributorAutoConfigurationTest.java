package io.neli.spring.autoconfigure.info;

import java.time.Duration;
import java.util.Map;

import io.neli.Neli;
import io.neli.NeliSnapshot;
import io.neli.Snapshots;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

class NeliInfoContributorAutoConfigurationTest {

    private final Neli neli = mock(Neli.class);
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withBean(Neli.class, () -> neli)
            .withConfiguration(AutoConfigurations.of(NeliInfoContributorAutoConfiguration.class));

    private Object told(NeliSnapshot snapshot) {
        when(neli.snapshot()).thenReturn(snapshot);
        Info.Builder builder = new Info.Builder();
        new NeliInfoContributor(neli).contribute(builder);
        return builder.build().get("neli");
    }

    @Test
    void it_tells_who_leads_each_role_with_which_token() {
        assertThat(told(Snapshots.leading(Duration.ofMinutes(1), Duration.ofSeconds(2))))
                .isEqualTo(Map.of(
                        "name",
                        "me",
                        "group",
                        "billing",
                        "topic",
                        "billing.neli",
                        "roles",
                        Map.of(
                                "invoices", Map.of("leader", "me", "token", 42L),
                                "reports", Map.of("leader", "me", "token", 42L),
                                "mail", Map.of("leader", "bob", "token", 7L))));
    }

    @Test
    void a_role_that_nobody_leads_has_no_token() {
        assertThat(told(Snapshots.stopped()))
                .extracting("roles")
                .isEqualTo(Map.of("invoices", Map.of(), "reports", Map.of(), "mail", Map.of()));
    }

    @Test
    void it_backs_off_when_switched_off_or_replaced() {
        runner.run(context -> assertThat(context).hasSingleBean(NeliInfoContributor.class));
        runner.withPropertyValues("management.info.neli.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(InfoContributor.class));
        runner.withBean(
                        "io.neli.spring.autoconfigure.info.NeliInfoContributor",
                        InfoContributor.class,
                        () -> info -> {})
                .run(context -> assertThat(context).doesNotHaveBean(NeliInfoContributor.class));
    }
}
