package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.RecordCodec;
import io.neli.internal.election.Records;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.LASTING;
import static io.neli.TestMember.LEASE;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class MetricsIT {

    private final String group = TestServers.unusedName("metrics");

    private static final class Recorder implements NeliMetrics {

        private final List<Duration> roundTrips = new CopyOnWriteArrayList<>();
        private final List<String> received = new CopyOnWriteArrayList<>();

        @Override
        public void changed(LeaderEvent event) {
            received.add(event.getClass().getSimpleName() + " " + event.role());
        }

        @Override
        public void heartbeatRead(int partition, Duration roundTrip) {
            roundTrips.add(roundTrip);
        }

        @Override
        public void bidSent(int partition) {
            received.add("bid " + partition);
        }

        @Override
        public void takenOver(int partition) {
            received.add("takeover " + partition);
        }

        @Override
        public void workSkipped(String role) {
            received.add("skipped " + role);
        }
    }

    @Test
    void a_term_is_measured_from_the_bid_to_its_end() {
        Recorder recorder = new Recorder();
        TestMember member =
                TestMember.startLeader(group, "member", LASTING.andThen(builder -> builder.metrics(recorder)));
        eventually().until(() -> recorder.roundTrips.size() > 3);
        member.close();

        assertThat(recorder.received).containsSubsequence("bid 0", "LeaderAcquired default", "LeaderRevoked default");
        assertThat(recorder.roundTrips).allSatisfy(time -> assertThat(time).isPositive());
    }

    @Test
    void a_takeover_is_one_from_a_member_that_did_not_resign() {
        Recorder recorder = new Recorder();
        try (TestMember member =
                TestMember.startLeader(group, "member", LASTING.andThen(builder -> builder.metrics(recorder)))) {
            assertThat(recorder.received).doesNotContain("takeover 0");

            appendClaimOfAMemberThatIsDead();

            member.awaitEvents(LeaderAcquired.class, 2);
            assertThat(recorder.received)
                    .containsSubsequence("LeaderFenced default", "takeover 0", "LeaderAcquired default");
        }
    }

    private void appendClaimOfAMemberThatIsDead() {
        RecordCodec codec = new RecordCodec(group);
        LogRecord claim = Records.claim(
                new MemberId("dead", UUID.randomUUID()), 0, LEASE, new GroupConfig(Mode.EXCLUSIVE, 1, "none"));
        TestServers servers = TestServers.get();
        servers.append(servers.topic(group), codec.key(), null, codec.encode(claim));
    }

    @Test
    void work_that_is_not_let_in_is_skipped_whether_another_leads_or_nobody_has_started() {
        Recorder recorder = new Recorder();
        TestMember unstarted = TestMember.of(group, "unstarted", builder -> builder.metrics(recorder));
        unstarted.neli.beginWork();
        assertThat(recorder.received).containsExactly("skipped default");

        Recorder eligible = new Recorder();
        try (TestMember leader = TestMember.startLeader(group, "leader", LASTING);
                TestMember standby = TestMember.startStandby(
                        group, "standby", LASTING.andThen(builder -> builder.metrics(eligible)))) {
            assertThat(leader.neli.isLeader()).isTrue();
            assertThat(standby.neli.beginWork("customer-1")).isEmpty();
            assertThat(eligible.received).contains("skipped customer-1");
        }
    }

    @Test
    void the_election_goes_on_whatever_the_measurements_throw() {
        AtomicInteger failures = new AtomicInteger();
        NeliMetrics failing = new NeliMetrics() {
            @Override
            public void heartbeatRead(int partition, Duration roundTrip) {
                failures.incrementAndGet();
                throw new IllegalStateException("meant to fail");
            }

            @Override
            public void changed(LeaderEvent event) {
                throw new AssertionError("meant to fail");
            }
        };
        try (TestMember member =
                TestMember.startLeader(group, "member", LASTING.andThen(builder -> builder.metrics(failing)))) {
            eventually().until(() -> failures.get() > 3);
            member.awaitRenewals(1);
            assertThat(member.neli.isLeader()).isTrue();
            assertThat(member.events.all()).hasSize(1);
        }
    }
}
