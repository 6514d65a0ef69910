package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.RecordCodec;
import io.neli.internal.election.Records;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.LASTING;
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
        public void handedOver(int partition, long token) {
            received.add("handed over " + partition);
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
    void a_term_is_measured_from_the_bid_to_its_end_and_work_that_is_not_let_in_is_skipped() {
        Recorder recorder = new Recorder();
        TestMember member = TestMember.of(group, "member", LASTING.andThen(builder -> builder.metrics(recorder)));
        member.neli.beginWork("customer-1");
        assertThat(recorder.received).containsExactly("skipped customer-1");
        member.neli.start();
        eventually().until(() -> recorder.roundTrips.size() > 3);
        member.close();

        assertThat(recorder.received)
                .containsSubsequence("bid 0", "LeaderAcquired default", "LeaderRevoked default", "handed over 0");
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
            assertThat(recorder.received).doesNotContain("handed over 0");
            assertThat(recorder.received)
                    .containsSubsequence("LeaderFenced default", "takeover 0", "LeaderAcquired default");
        }
    }

    private void appendClaimOfAMemberThatIsDead() {
        RecordCodec codec = new RecordCodec(group);
        LogRecord claim = Records.claim(
                new MemberId("dead", UUID.randomUUID()),
                0,
                Duration.ofMillis(300),
                new GroupConfig(Mode.EXCLUSIVE, List.of("default"), 1));
        TestServers servers = TestServers.get();
        servers.append(servers.topic(group), codec.key(), null, codec.encode(claim));
    }
}
