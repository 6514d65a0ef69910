package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.LASTING;
import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.await;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class RolesIT {

    private static final int PARTITIONS = 4;
    private static final List<String> ROLES = List.of("a", "b", "c", "d", "e");
    private static final Consumer<NeliBuilder> WITH_ROLES =
            builder -> builder.partitions(PARTITIONS).roles(ROLES);

    private final String group = TestServers.unusedName("roles");

    @Test
    void roles_are_shared_and_the_roles_of_one_partition_are_led_together() {
        try (TestMember first = TestMember.start(group, "first", WITH_ROLES);
                TestMember second = TestMember.start(group, "second", WITH_ROLES)) {
            TestMember.awaitSettled(first, second);

            eventually().untilAsserted(() -> {
                assertThat(Stream.concat(first.ledRoles().stream(), second.ledRoles().stream()))
                        .as("led by exactly one")
                        .containsExactlyInAnyOrderElementsOf(ROLES);
                assertThat(partitionsLedBy(first)).isEqualTo(2);
                assertThat(partitionsLedBy(second)).isEqualTo(2);
                for (TestMember member : List.of(first, second)) {
                    assertThat(member.neli.leader("a").map(Leader::name))
                            .isEqualTo(member.neli.leader("e").map(Leader::name));
                    assertThat(member.neli.leadership("a").map(Leadership::token))
                            .isEqualTo(member.neli.leadership("e").map(Leadership::token));
                    assertThat(member.neli.leader("e").map(Leader::role)).contains("e");
                    assertThat(member.neli.isLeader())
                            .as("the first of the list")
                            .isEqualTo(member.neli.isLeader("a"));
                    assertThat(member.neli.snapshot().partitions())
                            .extracting(NeliSnapshot.Partition::roles)
                            .containsExactly(List.of("a", "e"), List.of("b"), List.of("c"), List.of("d"));
                }
                for (String name : List.of("any-name", "default", "partition-2", "Mahnläufe")) {
                    assertThat(Stream.of(first, second).filter(member -> member.neli.isLeader(name)))
                            .as("leaders of %s", name)
                            .hasSize(1);
                }
            });
        }
    }

    private static long partitionsLedBy(TestMember member) {
        return Stream.of("a", "b", "c", "d").filter(member.neli::isLeader).count();
    }

    @Test
    void events_of_all_roles_come_on_one_thread_and_work_begins_after_them() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicReference<LeaderEvent> first = new AtomicReference<>();
        LeaderListener observed = event -> {
            if (first.compareAndSet(null, event)) {
                await(release);
            }
        };
        try (TestMember member = TestMember.of(
                group, "alone", WITH_ROLES.andThen(LASTING).andThen(builder -> builder.listener(observed)))) {
            member.neli.start();
            eventually().until(() -> member.ledRoles().equals(ROLES));
            eventually().until(() -> first.get() != null);

            assertThat(member.events.all())
                    .as("notified while the first listener blocks")
                    .hasSize(1);
            assertThat(member.neli.beginWork("d")).isEmpty();

            release.countDown();
            List<LeaderAcquired> acquired = member.awaitEvents(LeaderAcquired.class, ROLES.size());
            assertThat(acquired).extracting(LeaderAcquired::role).containsExactlyInAnyOrderElementsOf(ROLES);
            for (LeaderAcquired event : acquired) {
                assertThat(event.partition()).isEqualTo(ROLES.indexOf(event.role()) % PARTITIONS);
                assertThat(member.neli.leadership(event.role()).map(Leadership::token))
                        .contains(event.token());
            }
        }
    }

    /** While nobody leads, the group's assignment uses the settings of any member. */
    @Test
    void an_observer_without_roles_does_not_keep_the_others_from_leading() {
        try (TestMember dashboard = TestMember.start(group, "dashboard", builder -> builder.candidate(false));
                TestMember worker = TestMember.start(group, "worker", WITH_ROLES)) {
            eventually().untilAsserted(() -> assertThat(worker.ledRoles()).containsExactlyElementsOf(ROLES));
            worker.neli.pause();
            eventually().untilAsserted(() -> assertThat(worker.ledRoles()).isEmpty());
            eventually().untilAsserted(() -> assertThat(worker.neli.snapshot().partitions())
                    .allSatisfy(partition -> assertThat(partition.groupOwner()).isEmpty()));
            assertThat(worker.neli.snapshot().paused()).isTrue();
            worker.neli.resume();
            eventually().untilAsserted(() -> assertThat(worker.ledRoles()).containsExactlyElementsOf(ROLES));
            assertThat(worker.neli.snapshot().paused()).isFalse();
            assertThat(dashboard.neli.isLeader()).isFalse();
        }
    }

    @Tag("proof")
    @Test
    void a_member_with_another_list_or_mode_is_not_eligible() {
        try (TestMember leader = TestMember.startLeader(group, "leader", WITH_ROLES.andThen(LASTING));
                TestMember otherOrder = TestMember.start(group, "other-order", builder -> builder.partitions(PARTITIONS)
                        .roles("b", "a", "c", "d", "e"));
                TestMember otherMode = TestMember.start(
                        group, "other-mode", WITH_ROLES.andThen(builder -> builder.mode(Mode.NON_EXCLUSIVE)))) {
            otherOrder.awaitProblem("neli.roles differ: here they are [b, a, c, d, e]");
            otherMode.awaitProblem("neli.mode is 'exclusive' there and 'non-exclusive' here");
            for (TestMember other : List.of(otherOrder, otherMode)) {
                assertThat(other.neli.snapshot().eligible()).isFalse();
                assertThat(ROLES).noneMatch(other.neli::isLeader);
            }
            assertThat(leader.ledRoles()).isNotEmpty();
        }
    }

    @Tag("proof")
    @Test
    void work_in_one_role_does_not_delay_the_handover_of_another() throws Exception {
        String busy = "a";
        String idle = "b";
        Consumer<NeliBuilder> settings = WITH_ROLES.andThen(LASTING);
        try (TestMember first = TestMember.startLeader(group, "first", settings)) {
            assertThat(first.neli.awaitLeadership(idle, PATIENCE)).isPresent();
            LeaderWork work = first.awaitWork();
            try (TestMember second = TestMember.startStandby(group, "second", settings)) {
                first.neli.resign(Duration.ofMinutes(10));

                assertThat(second.neli.awaitLeadership(idle, PATIENCE)).isPresent();
                assertThat(second.neli.isLeader(busy)).isFalse();
                assertThat(second.neli.leader(busy).map(Leader::name)).contains("first");
                work.close();
                assertThat(second.neli.awaitLeadership(busy, PATIENCE)).isPresent();
                assertThat(first.events.of(LeaderFenced.class)).isEmpty();
            }
        }
    }
}
