package io.neli;

import java.time.Duration;
import java.util.List;
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

    /** An owner asks for a handover once per lease. */
    private static final Consumer<NeliBuilder> ROLES =
            builder -> builder.roles("a", "b", "c", "d").leaseDuration(Duration.ofSeconds(2));

    private static final Consumer<NeliBuilder> PREFERRED = ROLES.andThen(builder -> builder.priority(10));

    private final String group = TestServers.unusedName("priority");

    private static long led(TestMember member) {
        return Stream.of("a", "b", "c", "d").filter(member.neli::isLeader).count();
    }

    @Test
    void members_of_higher_priority_take_over_by_handovers_share_the_roles_and_give_back_when_they_leave() {
        try (TestMember ordinary = TestMember.startLeader(group, "ordinary", ROLES);
                TestMember first = TestMember.start(group, "first", PREFERRED);
                TestMember second = TestMember.start(group, "second", PREFERRED)) {
            eventually().untilAsserted(() -> {
                assertThat(led(ordinary)).isZero();
                assertThat(led(first)).isEqualTo(2);
                assertThat(led(second)).isEqualTo(2);
            });
            assertThat(ordinary.events.of(LeaderRevoked.class))
                    .allMatch(revoked -> revoked.reason() == RevokeReason.HANDOVER);

            first.neli.close();
            second.neli.close();

            eventually().until(() -> led(ordinary) == 4);
            // A machine that stalls may have ended a lease, and then another claims.
            List<FenceReason> fences = Stream.of(ordinary, first, second)
                    .flatMap(member -> member.events.of(LeaderFenced.class).stream())
                    .map(LeaderFenced::reason)
                    .toList();
            assertThat(fences.isEmpty() || fences.contains(FenceReason.LEASE_EXPIRED))
                    .as("%s", fences)
                    .isTrue();
        }
    }
}
