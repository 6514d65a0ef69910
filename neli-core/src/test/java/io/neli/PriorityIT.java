package io.neli;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class PriorityIT {

    private final String group = TestServers.unusedName("priority");

    @Test
    void a_member_of_higher_priority_takes_over_by_a_handover_and_gives_back_when_it_leaves() {
        try (TestMember ordinary = TestMember.startLeader(group, "ordinary");
                TestMember preferred = TestMember.start(group, "preferred", builder -> builder.priority(10))) {
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
}
