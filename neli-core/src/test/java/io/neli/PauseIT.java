package io.neli;

import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.LASTING;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class PauseIT {

    private final String group = TestServers.unusedName("pause");

    @Test
    void a_paused_member_hands_over_and_is_eligible_again_when_it_is_resumed_or_started() {
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

            first.neli.pause();
            eventually().until(() -> first.neli.snapshot().paused());
            first.neli.close();
            first.neli.start();

            assertThat(first.neli.snapshot().paused()).isFalse();
            first.awaitLead();
        }
    }
}
