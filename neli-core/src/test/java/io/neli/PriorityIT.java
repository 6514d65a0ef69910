package io.neli;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
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

            preferred.neli.start();
            preferred.awaitLead();
            assertFencedByNoOther(ordinary);
            assertFencedByNoOther(preferred);
        }
    }

    /** A machine that stalls for longer than the lease may have ended it. */
    private static void assertFencedByNoOther(TestMember member) {
        assertThat(member.events.of(LeaderFenced.class))
                .allMatch(fenced -> fenced.reason() == FenceReason.LEASE_EXPIRED);
    }

    @Test
    void a_member_of_higher_priority_that_is_not_eligible_leaves_the_lead_to_the_others() {
        try (TestMember preferred = start("preferred", 1)) {
            preferred.awaitLead();
            try (TestMember ordinary = TestMember.startStandby(group, "ordinary")) {
                eventually().until(() -> preferred.neli.snapshot().groupMembers() == 2);
                preferred.neli.pause();
                ordinary.awaitLead();
                preferred.neli.resume();
                preferred.awaitLead();
                assertThat(ordinary.awaitEvent(LeaderRevoked.class).reason()).isEqualTo(RevokeReason.HANDOVER);
            }
        }
    }

    @Test
    void roles_are_spread_evenly_over_the_members_of_the_highest_priority() {
        Consumer<NeliBuilder> roles = builder -> builder.roles("a", "b", "c", "d");
        try (TestMember ordinary = TestMember.startLeader(group, "ordinary", roles);
                TestMember first = TestMember.start(group, "first", roles.andThen(builder -> builder.priority(1)));
                TestMember second = TestMember.start(group, "second", roles.andThen(builder -> builder.priority(1)))) {
            eventually().untilAsserted(() -> {
                assertThat(led(ordinary)).isZero();
                assertThat(led(first)).isEqualTo(2);
                assertThat(led(second)).isEqualTo(2);
            });

            first.neli.close();
            second.neli.close();
            eventually().until(() -> led(ordinary) == 4);
        }
    }

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

    private static long led(TestMember member) {
        return Stream.of("a", "b", "c", "d").filter(member.neli::isLeader).count();
    }
}
