package io.neli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.LASTING;
import static io.neli.TestMember.STEADY;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A release that adds a role, or takes one away again, is rolled out member by member. */
class RollingRolesIT {

    private static final List<String> BEFORE = List.of("a", "b");
    private static final List<String> AFTER = List.of("a", "b", "c");

    private final String group = TestServers.unusedName("rolling-roles");

    /** On NATS, an added role is first led after a lease. */
    private static Consumer<NeliBuilder> roles(List<String> roles) {
        return STEADY.andThen(builder -> builder.roles(roles));
    }

    /** Threads that work in each role while a member leads it, and count how many work at the same time. */
    private static final class Load implements AutoCloseable {

        private final Map<String, AtomicInteger> working = new ConcurrentHashMap<>();
        private final AtomicInteger overlaps = new AtomicInteger();
        private final AtomicInteger done = new AtomicInteger();
        private final List<Thread> threads = new ArrayList<>();
        private volatile boolean closed;

        void on(TestMember member) {
            for (String role : member.neli.roles()) {
                Thread thread = new Thread(() -> work(member.neli, role), "work-" + member.name + "-" + role);
                threads.add(thread);
                thread.start();
            }
        }

        private void work(Neli neli, String role) {
            AtomicInteger count = working.computeIfAbsent(role, name -> new AtomicInteger());
            while (!closed) {
                neli.beginWork(role).ifPresent(work -> {
                    overlaps.addAndGet(count.incrementAndGet() == 1 ? 0 : 1);
                    LockSupport.parkNanos(1_000_000);
                    count.decrementAndGet();
                    done.incrementAndGet();
                    work.close();
                });
                LockSupport.parkNanos(1_000_000);
            }
        }

        @Override
        public void close() {
            closed = true;
            eventually().until(() -> threads.stream().noneMatch(Thread::isAlive));
        }
    }

    private static void awaitLed(String role, List<TestMember> members) {
        eventually().untilAsserted(() -> assertThat(members)
                .filteredOn(each -> each.ledRoles().contains(role))
                .as(role)
                .hasSize(1));
    }

    @Test
    void a_release_that_adds_a_role_is_rolled_out_and_back_member_by_member() {
        List<TestMember> all = new ArrayList<>();
        List<TestMember> running = new ArrayList<>();
        try (Load load = new Load()) {
            for (int number = 0; number < 3; number++) {
                running.add(start("old-" + number, BEFORE, load, all));
            }
            BEFORE.forEach(role -> awaitLed(role, running));
            for (int number = 0; number < 3; number++) {
                running.remove(0).close();
                running.add(start("new-" + number, AFTER, load, all));
                AFTER.forEach(role -> awaitLed(role, running));
            }
            running.forEach(TestMember::awaitNoProblem);
            for (int number = 0; number < 3; number++) {
                running.remove(0).close();
                running.add(start("back-" + number, BEFORE, load, all));
                (number < 2 ? AFTER : BEFORE).forEach(role -> awaitLed(role, running));
            }
            running.forEach(TestMember::awaitNoProblem);
            assertThatThrownBy(() -> running.get(0).neli.leader("c")).isInstanceOf(NeliException.class);
            assertThat(load.done).hasPositiveValue();
            assertThat(load.overlaps).as("work of two members in one role").hasValue(0);
        } finally {
            running.forEach(TestMember::close);
        }
        for (TestMember member : all) {
            assertThat(member.events.of(LeaderFenced.class)).as(member.name).isEmpty();
            assertThat(member.events.of(LeaderRevoked.class))
                    .as(member.name)
                    .extracting(LeaderRevoked::reason)
                    .isSubsetOf(RevokeReason.CLOSING, RevokeReason.HANDOVER);
        }
    }

    private TestMember start(String name, List<String> roles, Load load, List<TestMember> all) {
        TestMember member = TestMember.startStandby(group, name, roles(roles));
        all.add(member);
        load.on(member);
        return member;
    }

    @Test
    void a_member_with_a_renamed_role_leads_neither_that_nor_those_after_it_and_shows_both_lists() {
        List<String> renamed = List.of("a", "x", "c");
        try (TestMember leader =
                TestMember.startLeader(group, "leader", roles(AFTER).andThen(LASTING))) {
            AFTER.forEach(role -> awaitLed(role, List.of(leader)));
            try (TestMember other =
                    TestMember.start(group, "other", roles(renamed).andThen(LASTING))) {
                eventually()
                        .untilAsserted(() -> assertThat(other.neli.snapshot().problem())
                                .contains("neli.roles are [a, x, c] here, and [a, b, c] in the records of the group '"
                                        + group
                                        + "', where 'leader' leads 'b', so this member is not eligible for"
                                        + " [x, c]; give all members the same roles in the same order; add new"
                                        + " ones at the end, and stop all members before you rename, move or"
                                        + " insert one"));
                assertThat(other.neli.snapshot().partitions())
                        .extracting(NeliSnapshot.Partition::eligible)
                        .containsExactly(true, false, false);
                assertThat(renamed.stream().map(role -> other.neli
                                .leader(role)
                                .map(Leader::name)
                                .orElse("nobody")))
                        .containsExactly("leader", "nobody", "leader");
                assertThat(other.neli.snapshot().partitions().get(1).leader()).isEmpty();
                assertThat(AFTER).allMatch(leader.neli::isLeader);
                leader.awaitNoProblem();
                leader.neli.close();
                other.awaitProblem("where 'leader' led 'b'", "wait one lease");
            }
        }
    }
}
