package io.neli.cluster;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.neli.cluster.Line.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** Six roles on six partitions, spread over members in processes of their own. */
@Tag("proof")
@EnabledOnOs(value = OS.LINUX, disabledReason = "clocks of several processes are compared")
@ExtendWith(SharedBroker.class)
class RolesClusterIT {

    private static final List<String> ROLES = List.of("a", "b", "c", "d", "e", "f");

    @Test
    void roles_spread_and_only_what_moves_is_disturbed(ServerProcess broker) {
        Duration lease = Duration.ofSeconds(10); // longer than a busy machine stalls, which would end terms
        Duration heartbeat = Duration.ofMillis(500);
        try (Cluster cluster = new Cluster(broker, "roles", broker.address(), lease, heartbeat, "one", "two", "three")
                .with("partitions=6", "roles=" + String.join(",", ROLES))) {
            MemberProcess one = cluster.start("one");
            Await.until("one leads all", Cluster.LIMIT, () -> countOf(cluster, one) == 6);

            MemberProcess two = cluster.start("two");
            awaitShares(cluster, 3, one, two);
            Map<String, Line> before = latest(cluster);
            MemberProcess three = cluster.start("three");
            awaitShares(cluster, 2, one, two, three);
            assertThatOnlyTheNewcomersShareMoved(cluster, before, three);
            cluster.check();

            Map<String, Line> settled = latest(cluster);
            Set<String> lost = rolesOf(settled, two);
            two.kill();
            two.awaitEnd(Cluster.LIMIT);
            Await.until("survivors lead what the dead one led", Cluster.LIMIT, () -> rolesOf(latest(cluster), two)
                    .isEmpty());
            Map<String, Line> after = latest(cluster);
            ROLES.stream().filter(role -> !lost.contains(role)).forEach(role -> assertThat(after.get(role))
                    .as("role " + role + " does not move")
                    .isEqualTo(settled.get(role)));
            awaitShares(cluster, 3, one, three);

            cluster.endAndCheck();
        }
    }

    /** Who leads each role, by the latest acquisition. */
    private static Map<String, Line> latest(Cluster cluster) {
        Map<String, Line> latest = new HashMap<>();
        cluster.timeline().notable().stream()
                .filter(line -> line.kind() == Kind.ACQUIRED)
                .forEach(line ->
                        latest.merge(line.role(), line, (a, b) -> a.number("token") > b.number("token") ? a : b));
        return latest;
    }

    private static Set<String> rolesOf(Map<String, Line> latest, MemberProcess member) {
        return latest.values().stream().filter(member::isFrom).map(Line::role).collect(Collectors.toSet());
    }

    private static int countOf(Cluster cluster, MemberProcess member) {
        return rolesOf(latest(cluster), member).size();
    }

    private static void awaitShares(Cluster cluster, int each, MemberProcess... members) {
        Await.until("each leads " + each, Cluster.LIMIT, () -> {
            Map<String, Line> latest = latest(cluster);
            return List.of(members).stream()
                    .allMatch(member -> rolesOf(latest, member).size() == each);
        });
    }

    /** Two of the six roles, by a handover each. */
    private static void assertThatOnlyTheNewcomersShareMoved(
            Cluster cluster, Map<String, Line> before, MemberProcess newcomer) {
        Map<String, Line> after = latest(cluster);
        Set<String> moved = ROLES.stream()
                .filter(role -> !after.get(role).equals(before.get(role)))
                .collect(Collectors.toSet());
        assertThat(moved).isEqualTo(rolesOf(after, newcomer)).hasSize(2);
        for (String role : moved) {
            Await.until("the end of the term of " + role, Cluster.LIMIT, () -> !ends(cluster, before.get(role))
                    .isEmpty());
            assertThat(ends(cluster, before.get(role)))
                    .extracting(line -> line.text("reason"))
                    .containsExactly("HANDOVER");
        }
    }

    /** Of a term that was acquired. */
    private static List<Line> ends(Cluster cluster, Line acquired) {
        return cluster.timeline().notable().stream()
                .filter(line -> line.role().equals(acquired.role())
                        && (line.kind() == Kind.REVOKED || line.kind() == Kind.FENCED)
                        && line.text("token").equals(acquired.text("token")))
                .toList();
    }
}
