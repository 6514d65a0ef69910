package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class RoleControlIT {

    private static final List<String> ROLES = List.of("a", "b", "c");
    private static final Consumer<NeliBuilder> WITH_ROLES = builder -> builder.roles(ROLES);

    private final String group = TestServers.unusedName("control");

    private static Map<String, Long> tokens(TestMember... members) {
        Map<String, Long> tokens = new TreeMap<>();
        for (TestMember member : members) {
            for (String role : ROLES) {
                member.neli.leadership(role).ifPresent(term -> tokens.put(role, term.token()));
            }
        }
        return tokens;
    }

    private static void awaitRevoked(TestMember member, String role, RevokeReason reason) {
        eventually().untilAsserted(() -> assertThat(member.events.of(LeaderRevoked.class))
                .filteredOn(event -> event.reason() == reason)
                .extracting(LeaderRevoked::role)
                .containsExactly(role));
    }

    private static NeliSnapshot.Partition partition(TestMember member, String role) {
        return member.neli.snapshot().partitions().get(member.neli.partitionOf(role));
    }

    @Test
    void one_role_is_paused_resumed_and_resigned_and_a_member_leaves_and_the_other_roles_stay_where_they_are() {
        try (TestMember first = TestMember.start(group, "first", WITH_ROLES);
                TestMember second = TestMember.start(group, "second", WITH_ROLES);
                TestMember third = TestMember.start(group, "third", WITH_ROLES)) {
            TestMember[] all = {first, second, third};
            TestMember.awaitSettled(all);
            eventually().untilAsserted(() -> assertThat(all)
                    .allMatch(member -> member.ledRoles().size() == 1));
            TestMember.awaitOldTerms(all);
            String role = eventually()
                    .until(() -> first.ledRoles(), led -> led.size() == 1)
                    .get(0);
            Map<String, Long> others = tokens(second, third);

            first.neli.pause(role);

            TestMember next = TestMember.leaderOf(role, second, third);
            TestMember.awaitSettled(all);
            assertThat(tokens(all)).containsAllEntriesOf(others);
            assertThat(first.ledRoles()).isEmpty();
            assertThat(partition(first, role).eligible()).isFalse();
            assertThat(first.neli.snapshot().eligible()).isTrue();
            assertThat(first.neli.snapshot().paused()).isFalse();
            awaitRevoked(first, role, RevokeReason.PAUSED);

            first.neli.resume(role);

            eventually().until(() -> first.neli.isLeader(role));
            TestMember.awaitSettled(all);
            assertThat(tokens(all)).containsAllEntriesOf(others);
            assertThat(next.neli.isLeader(role)).isFalse();

            first.neli.resign(role, Duration.ofMinutes(10));

            TestMember.leaderOf(role, second, third);
            TestMember.awaitSettled(all);
            assertThat(tokens(all)).containsAllEntriesOf(others);
            assertThat(partition(first, role).eligible()).isFalse();
            awaitRevoked(first, role, RevokeReason.RESIGNED);

            List<String> handedOver = second.ledRoles();
            Map<String, Long> kept = tokens(third);
            second.neli.close();

            TestMember.awaitSettled(first, third);
            assertThat(tokens(third)).containsAllEntriesOf(kept);
            assertThat(second.events.of(LeaderRevoked.class))
                    .filteredOn(event -> event.reason() == RevokeReason.CLOSING)
                    .extracting(LeaderRevoked::role)
                    .containsExactlyInAnyOrderElementsOf(handedOver);
        }
    }
}
