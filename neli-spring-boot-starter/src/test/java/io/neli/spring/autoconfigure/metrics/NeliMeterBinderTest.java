package io.neli.spring.autoconfigure.metrics;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.search.RequiredSearch;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.Neli;
import io.neli.NeliMetrics.WorkOutcome;
import io.neli.NeliSnapshot;
import io.neli.spring.Snapshots;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

class NeliMeterBinderTest {

    private static final Duration LEASE_LEFT = Duration.ofMillis(2_500);

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private final Neli neli = mock(Neli.class);
    private final NeliMeterBinder binder = new NeliMeterBinder(() -> neli);

    @BeforeEach
    void bind() {
        show(Snapshots.stopped());
        binder.bindTo(registry);
    }

    private void show(NeliSnapshot snapshot) {
        when(neli.snapshot()).thenReturn(snapshot);
        snapshot.partitions().forEach(partition -> partition.roles().forEach(role -> when(neli.isLeader(role))
                .thenReturn(partition.leading())));
        passes(Duration.ofSeconds(1)); // until the snapshot is no longer reused
    }

    private void passes(Duration time) {
        clock.add(time);
    }

    private RequiredSearch role(String name, String role) {
        return registry.get(name).tag("group", "billing").tag("role", role);
    }

    private RequiredSearch partition(String name, int partition) {
        return registry.get(name).tag("group", "billing").tag("partition", Integer.toString(partition));
    }

    private double transitions(String role, String event, String reason) {
        return role("neli.transitions", role)
                .tags("event", event, "reason", reason)
                .counter()
                .count();
    }

    @Test
    void all_meters_exist_from_the_start_and_are_zero() {
        assertThat(registry.getMeters()).allSatisfy(meter -> assertThat(meter.measure())
                .as("%s", meter.getId())
                .allSatisfy(measurement -> assertThat(measurement.getValue()).isZero()));
        for (String role : List.of("invoices", "reports", "mail")) {
            assertThat(registry.find("neli.transitions").tag("role", role).counters())
                    .hasSize(1 + RevokeReason.values().length + FenceReason.values().length);
            assertThat(registry.find("neli.work").tag("role", role).timers()).hasSize(WorkOutcome.values().length);
            role("neli.leader", role).gauge();
            role("neli.skipped", role).counter();
        }
        partition("neli.takeovers", 1).counter();
    }

    @Test
    void the_leader_and_its_lease_are_shown() {
        show(Snapshots.leading(Duration.ofMinutes(1), LEASE_LEFT));

        assertThat(role("neli.leader", "invoices").gauge().value()).isEqualTo(1);
        assertThat(role("neli.leader", "reports").gauge().value()).isEqualTo(1);
        assertThat(role("neli.leader", "mail").gauge().value()).isZero();
        assertThat(partition("neli.lease.left", 0).timeGauge().value(TimeUnit.SECONDS))
                .isEqualTo(2.5);
        assertThat(partition("neli.lease.left", 1).timeGauge().value(TimeUnit.SECONDS))
                .isZero();
    }

    @Test
    void a_problem_is_shown_while_there_is_one() {
        show(Snapshots.failed("no right to READ"));
        assertThat(registry.get("neli.problem").tag("group", "billing").gauge().value())
                .isEqualTo(1);
        show(Snapshots.connecting());
        assertThat(registry.get("neli.problem").gauge().value()).isZero();
    }

    @Test
    void the_logs_of_a_quorum_are_shown() {
        show(Snapshots.leading(Duration.ofMinutes(1), LEASE_LEFT));

        assertThat(log("neli.log.held", "billing.neli.1")).isEqualTo(1);
        assertThat(log("neli.log.readable", "billing.neli.1")).isEqualTo(1);
        assertThat(log("neli.log.held", "billing.neli.2")).isZero();
        assertThat(log("neli.log.readable", "billing.neli.2")).isZero();
    }

    private double log(String name, String topic) {
        return partition(name, 0).tag("topic", topic).gauge().value();
    }

    @Test
    void a_leader_whose_listeners_are_still_preparing_is_shown() {
        show(Snapshots.leading(Duration.ofMinutes(1), Duration.ofSeconds(7), LEASE_LEFT));

        assertThat(partition("neli.preparing", 0).timeGauge().value(TimeUnit.SECONDS))
                .isEqualTo(7);
        assertThat(partition("neli.preparing", 1).timeGauge().value(TimeUnit.SECONDS))
                .isZero();
    }

    @Test
    void the_gauges_outlast_a_garbage_collection() {
        show(Snapshots.leading(Duration.ofMinutes(1), LEASE_LEFT));
        WeakReference<Object> collected = new WeakReference<>(new Object());
        await().atMost(Duration.ofMinutes(1)).until(() -> {
            System.gc();
            return collected.get() == null;
        });

        assertThat(role("neli.leader", "invoices").gauge().value()).isEqualTo(1);
    }

    @Test
    void reading_all_meters_takes_one_snapshot() {
        clearInvocations(neli);
        passes(Duration.ofSeconds(1));
        for (Meter meter : registry.getMeters()) {
            meter.measure().forEach(Measurement::getValue);
        }

        verify(neli, times(1)).snapshot();
    }

    @Test
    void each_change_is_counted_under_its_role_event_and_reason() {
        binder.changed(new LeaderAcquired("invoices", 0, 1));
        binder.changed(new LeaderRevoked("invoices", 0, 1, RevokeReason.HANDOVER));
        binder.changed(new LeaderFenced("invoices", 0, 1, FenceReason.HANDOVER_TIMED_OUT));
        binder.changed(new LeaderAcquired("invoices", 0, 2));

        assertThat(transitions("invoices", "acquired", "none")).isEqualTo(2);
        assertThat(transitions("invoices", "revoked", "handover")).isEqualTo(1);
        assertThat(transitions("invoices", "fenced", "handover-timed-out")).isEqualTo(1);
        assertThat(transitions("invoices", "fenced", "lease-expired")).isZero();
        assertThat(transitions("reports", "acquired", "none")).isZero();
    }

    @Test
    void heartbeats_bids_and_takeovers_are_counted_under_their_partition() {
        binder.heartbeatRead(1, Duration.ofMillis(30));
        binder.heartbeatRead(1, Duration.ofMillis(50));
        binder.bidSent(1);
        binder.takenOver(1);

        assertThat(partition("neli.heartbeat.round.trip", 1).timer().count()).isEqualTo(2);
        assertThat(partition("neli.heartbeat.round.trip", 1).timer().mean(TimeUnit.MILLISECONDS))
                .isEqualTo(40);
        assertThat(partition("neli.bids", 1).counter().count()).isEqualTo(1);
        assertThat(partition("neli.takeovers", 1).counter().count()).isEqualTo(1);
        assertThat(partition("neli.takeovers", 0).counter().count()).isZero();
    }

    @Test
    void work_is_timed_under_its_outcome() {
        binder.workEnded("mail", WorkOutcome.EXECUTED, Duration.ofSeconds(2));
        binder.workEnded("mail", WorkOutcome.DRAINED, Duration.ofSeconds(3));

        assertThat(role("neli.work", "mail").tag("outcome", "executed").timer().totalTime(TimeUnit.SECONDS))
                .isEqualTo(2);
        assertThat(role("neli.work", "mail").tag("outcome", "drained").timer().totalTime(TimeUnit.SECONDS))
                .isEqualTo(3);
        assertThat(role("neli.work", "mail")
                        .tag("outcome", "interrupted")
                        .timer()
                        .count())
                .isZero();
    }

    @Test
    void a_role_that_is_not_listed_counts_as_its_partition() {
        when(neli.partitionOf("customer-1")).thenReturn(1);
        when(neli.partitionOf("customer-2")).thenReturn(1);

        binder.workSkipped("customer-1");
        binder.workSkipped("customer-2");

        assertThat(role("neli.skipped", "partition-1").counter().count()).isEqualTo(2);
        assertThat(registry.find("neli.skipped").tag("role", "customer-1").counter())
                .isNull();
    }

    /** A delay of {@code Long.MAX_VALUE} is the idiom for a job that runs once. */
    @Test
    void a_job_that_is_due_after_millions_of_years_is_not_overdue() {
        showJob("invoices", Instant.now().plusMillis(Long.MAX_VALUE));
        binder.changed(new LeaderAcquired("invoices", 0, 42));

        assertThat(registry.get("neli.run.overdue")
                        .tag("job.name", "import")
                        .timeGauge()
                        .value())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({"invoices, 1", "mail, 0"})
    void a_job_that_is_added_during_a_term_has_meters_if_its_role_is_led(String role, int meters) {
        showJob(role, Instant.now());
        registry.get("neli.preparing").timeGauges().forEach(TimeGauge::value);

        assertThat(registry.find("neli.run.overdue").timeGauges()).hasSize(meters);
        assertThat(registry.find("neli.runs.abandoned").counters()).hasSize(meters);
    }

    private void showJob(String role, Instant due) {
        NeliSnapshot now = Snapshots.leading(Duration.ofMinutes(1), LEASE_LEFT);
        NeliSnapshot.Job job = new NeliSnapshot.Job("import", role, "delay", false, Optional.empty(), Optional.of(due));
        show(new NeliSnapshot(
                now.name(),
                now.groupId(),
                now.topic(),
                now.status(),
                now.problem(),
                now.eligible(),
                now.paused(),
                now.groupMembers(),
                now.partitions(),
                List.of(job)));
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void the_meters_of_a_job_are_registered_once_or_micrometer_would_warn(CapturedOutput output) {
        Logger micrometer = (Logger) LoggerFactory.getLogger(MeterRegistry.class);
        micrometer.setLevel(Level.DEBUG); // it warns only the first time
        try {
            showJob("invoices", Instant.now());

            binder.changed(new LeaderAcquired("invoices", 0, 42));
            binder.changed(new LeaderAcquired("mail", 1, 43));

            assertThat(output).doesNotContain("already registered");
        } finally {
            micrometer.setLevel(null);
        }
    }

    @Test
    void measurements_without_a_registry_or_of_unknown_partitions_are_ignored() {
        NeliMeterBinder unbound = new NeliMeterBinder(() -> neli);
        for (NeliMeterBinder each : List.of(unbound, binder)) {
            each.changed(new LeaderAcquired("nothing", 99, 1));
            each.heartbeatRead(99, LEASE_LEFT);
            each.bidSent(99);
            each.takenOver(99);
        }
        unbound.workEnded("mail", WorkOutcome.EXECUTED, LEASE_LEFT);
        unbound.workSkipped("mail");
    }

    @Test
    void every_registry_that_it_is_bound_to_has_them_until_it_is_closed() {
        SimpleMeterRegistry second = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
        second.counter("not.ours");
        second.counter("neli.bids", "group", "another");
        binder.bidSent(0);
        binder.bindTo(second);
        binder.bidSent(0);
        binder.workSkipped("mail");
        assertThat(role("neli.skipped", "mail").counter().count()).isEqualTo(1);
        assertThat(second.get("neli.skipped").tag("role", "mail").counter().count())
                .isEqualTo(1);
        assertThat(partition("neli.bids", 0).counter().count()).isEqualTo(2);
        assertThat(second.get("neli.bids")
                        .tag("group", "billing")
                        .tag("partition", "0")
                        .counter()
                        .count())
                .isEqualTo(1);

        binder.close();
        binder.bidSent(0); // must not create the meter again

        assertThat(registry.getMeters()).isEmpty();
        assertThat(second.getMeters())
                .extracting(meter -> meter.getId().getName())
                .containsExactlyInAnyOrder("not.ours", "neli.bids");
    }
}
