package io.neli;

import java.util.List;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.LASTING;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class PauseIT {

    private final String group = TestServers.unusedName("pause");

    @Test
    void a_paused_member_hands_over_and_is_eligible_again_when_it_is_resumed() {
        try (TestMember first = TestMember.startLeader(group, "first", LASTING);
                TestMember second = TestMember.startStandby(group, "second", LASTING)) {
            long token = first.awaitLead().token();
            first.neli.pause();

            assertThat(second.awaitLead().token()).isGreaterThan(token);
            assertThat(first.awaitEvent(LeaderRevoked.class).reason()).isEqualTo(RevokeReason.PAUSED);
            assertThat(first.neli.snapshot().paused()).isTrue();
            assertThat(first.neli.snapshot().eligible()).isFalse();
            assertThat(second.neli.snapshot().paused()).isFalse();

            first.neli.resume();

            eventually().until(() -> first.neli.snapshot().eligible());
            assertThat(first.neli.snapshot().paused()).isFalse();
            assertThat(first.neli.isLeader()).isFalse();
            second.neli.close();
            first.awaitLead();
        }
    }

    @Tag("proof")
    @Test
    void nobody_leads_while_the_only_member_is_paused() throws InterruptedException {
        try (TestMember member = TestMember.startLeader(group, "alone")) {
            member.neli.pause();
            member.awaitEvent(LeaderRevoked.class);
            assertThat(member.neli.awaitLeadership(TestMember.LEASE.multipliedBy(2)))
                    .isEmpty();

            int before = member.events.of(LeaderAcquired.class).size();
            member.neli.resume();

            member.awaitEvents(LeaderAcquired.class, before + 1);
        }
    }

    @Test
    void pausing_twice_is_as_good_as_once_and_so_is_resuming() {
        try (TestMember member = TestMember.startLeader(group, "alone", LASTING)) {
            member.neli.resume(); // of what is not paused
            member.neli.pause();
            member.neli.pause();
            eventually().until(() -> !member.neli.isLeader());
            member.neli.resume();
            member.neli.resume();

            member.awaitEvents(LeaderAcquired.class, 2);
            assertThat(member.events.all())
                    .hasSize(3)
                    .element(1)
                    .isInstanceOfSatisfying(LeaderRevoked.class, revoked -> assertThat(revoked.reason())
                            .isEqualTo(RevokeReason.PAUSED));
        }
    }

    @Test
    void each_start_begins_unpaused() {
        try (TestMember member = TestMember.of(group, "member", LASTING)) {
            member.neli.pause(); // of what is not started
            assertThat(member.neli.snapshot().paused()).isFalse();
            member.neli.start();
            member.awaitLead();

            member.neli.pause();
            eventually().until(() -> member.neli.snapshot().paused());
            member.neli.close();
            member.neli.start();

            assertThat(member.neli.snapshot().paused()).isFalse();
            member.awaitEvents(LeaderAcquired.class, 2);
        }
    }

    @Test
    void a_paused_member_hands_over_all_its_roles() throws InterruptedException {
        List<String> roles = List.of("a", "b", "c");
        try (TestMember first = TestMember.start(
                        group, "first", builder -> builder.partitions(3).roles(roles));
                TestMember second = TestMember.start(
                        group, "second", builder -> builder.partitions(3).roles(roles))) {
            first.neli.pause();
            for (String role : roles) {
                assertThat(second.neli.awaitLeadership(role, TestMember.PATIENCE))
                        .isPresent();
            }
            assertThat(roles).noneMatch(first.neli::isLeader);
        }
    }
}
