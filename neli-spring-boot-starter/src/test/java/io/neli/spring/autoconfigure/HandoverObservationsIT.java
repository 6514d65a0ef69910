package io.neli.spring.autoconfigure;

import java.time.Duration;
import java.util.Optional;

import io.micrometer.observation.tck.TestObservationRegistry;
import io.neli.LeaderWork;
import io.neli.Neli;
import io.neli.spring.SharedBroker;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static org.awaitility.Awaitility.await;

class HandoverObservationsIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String HANDOVER = "neli.handover";

    private final TestObservationRegistry observed = TestObservationRegistry.create();
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    KafkaAutoConfiguration.class, ObservationAutoConfiguration.class, NeliAutoConfiguration.class))
            .withBean(TestObservationRegistry.class, () -> observed)
            .withPropertyValues(
                    "spring.kafka.bootstrap-servers=" + SharedBroker.address(),
                    "neli.roles=invoices,reports",
                    "neli.partitions=1",
                    "neli.lease-duration=30s"); // longer than a busy machine stalls

    private static LeaderWork lead(Neli neli) {
        return await().atMost(PATIENCE)
                .pollInSameThread()
                .until(() -> neli.beginWork("invoices"), Optional::isPresent)
                .orElseThrow();
    }

    private static void eventually(ThrowingRunnable seen) {
        await().atMost(PATIENCE).untilAsserted(seen);
    }

    @Test
    void a_handover_is_observed_once_until_running_work_has_ended() {
        runner.withPropertyValues("neli.group-id=observed-handover").run(context -> {
            Neli neli = context.getBean(Neli.class);
            LeaderWork work = lead(neli);
            long token = work.leadership().token();
            neli.resign(Duration.ofMinutes(1));
            eventually(() -> assertThat(observed)
                    .hasObservationWithNameEqualTo(HANDOVER)
                    .that()
                    .hasBeenStarted()
                    .isNotStopped());

            work.close();

            eventually(() -> assertThat(observed)
                    .hasNumberOfObservationsWithNameEqualTo(HANDOVER, 1)
                    .hasObservationWithNameEqualTo(HANDOVER)
                    .that()
                    .hasLowCardinalityKeyValue("partition", "0")
                    .hasLowCardinalityKeyValue("reason", "resigned")
                    .hasLowCardinalityKeyValue("outcome", "handed-over")
                    .hasHighCardinalityKeyValue("neli.role", "invoices")
                    .hasHighCardinalityKeyValue("neli.token", Long.toString(token))
                    .hasBeenStopped());
        });
    }

    @Test
    void one_that_work_outlasts_ends_with_the_fence() {
        runner.withPropertyValues("neli.group-id=observed-fence", "neli.handover-timeout=1s")
                .run(context -> {
                    Neli neli = context.getBean(Neli.class);
                    try (LeaderWork work = lead(neli)) {
                        work.detach(() -> {});
                        neli.resign(Duration.ofMinutes(1));

                        eventually(() -> assertThat(observed)
                                .hasObservationWithNameEqualTo(HANDOVER)
                                .that()
                                .hasLowCardinalityKeyValue("outcome", "handover-timed-out")
                                .hasBeenStopped());
                    }
                });
    }

    @Test
    void the_handover_of_a_context_that_closes_is_observed_too() {
        runner.withPropertyValues("neli.group-id=observed-close")
                .run(context -> lead(context.getBean(Neli.class)).close());

        assertThat(observed)
                .hasObservationWithNameEqualTo(HANDOVER)
                .that()
                .hasLowCardinalityKeyValue("reason", "closing")
                .hasLowCardinalityKeyValue("outcome", "handed-over")
                .hasBeenStopped();
    }
}
