package io.neli;

import java.time.Duration;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class PriorityIT {

    private final String group = TestServers.unusedName("priority");

    private TestMember start(String name, int priority) {
        return TestMember.start(group, name, builder -> builder.priority(priority));
    }

    @Test
    void a_member_of_higher_priority_takes_over_by_a_handover_and_gives_back_when_it_leaves() {
        try (TestMember ordinary = TestMember.startLeader(group, "ordinary");
                TestMember preferred = start("preferred", 10)) {
            long token = preferred.awaitLead().token();
            assertThat(ordinary.awaitEvent(LeaderRevoked.class).reason()).isEqualTo(RevokeReason.HANDOVER);

            preferred.neli.close();

            eventually().until(ordinary.neli::isLeader);
            assertThat(ordinary.awaitLead().token()).isGreaterThan(token);
            assertFencedByNoOther(ordinary);
            assertFencedByNoOther(preferred);
        }
    }

    /** If the machine stalled for longer than the lease, the lease may have expired. */
    private static void assertFencedByNoOther(TestMember member) {
        assertThat(member.events.of(LeaderFenced.class))
                .allMatch(fenced -> fenced.reason() == FenceReason.LEASE_EXPIRED);
    }

    @Tag("proof")
    @Test
    void in_a_rolling_deployment_the_first_member_of_the_next_version_takes_over_and_keeps_leading() {
        try (TestMember a1 = start("a", 1)) {
            a1.awaitLead();
            try (TestMember b1 = TestMember.startStandby(group, "b", builder -> builder.priority(1));
                    // It asks for a handover once per lease.
                    TestMember a2 = TestMember.start(
                            group, "a", builder -> builder.priority(2).leaseDuration(Duration.ofMinutes(1)))) {
                a2.awaitLead();
                TestMember.awaitOldTerms(a2);
                long token = a2.awaitLead().token();
                a1.neli.close();
                b1.neli.close();
                try (TestMember b2 = TestMember.startStandby(group, "b", builder -> builder.priority(2))) {
                    eventually().until(() -> a2.neli.snapshot().groupMembers() == 2);
                    eventually().untilAsserted(() -> assertThat(b2.neli.leader().map(Leader::name))
                            .contains("a"));
                    assertThat(a2.awaitLead().token()).isEqualTo(token);
                }
            }
        }
    }
}
