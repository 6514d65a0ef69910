package io.neli;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.neli.LeaderEvent.LeaderAcquired;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static io.neli.TestMember.threads;
import static org.assertj.core.api.Assertions.assertThat;

class RestartIT {

    private static final int CYCLES = 30;

    private static final TestServers SERVERS = TestServers.get();

    private final String group = TestServers.unusedName("restart");

    @Tag("proof")
    @Test
    void starting_and_stopping_again_and_again_leaves_nothing_behind() {
        TestMember member = TestMember.of(group, "again", builder -> {});
        long token = -1;
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            member.neli.start();
            if (cycle % 3 == 2) { // stopped while it starts
                member.neli.close();
                continue;
            }
            Leadership term = member.awaitLead();
            assertThat(term.token()).isGreaterThan(token);
            token = term.token();
            if (cycle % 2 == 0) {
                eventually().until(() -> member.neli.snapshot().groupMembers() > 0);
                assertThat(SERVERS.clients("again")).as("clients while it runs").isNotEmpty();
            }
            eventually() // threads that connect end when the connection is established
                    .untilAsserted(() -> assertThat(threads("neli-again-")).hasSizeLessThanOrEqualTo(5));
            member.neli.close();
        }
        eventually().untilAsserted(() -> assertThat(threads(""))
                .as("threads of members and of their clients")
                .noneMatch(name -> name.startsWith("neli-") || SERVERS.isOfClient(name)));
        eventually()
                .untilAsserted(
                        () -> assertThat(SERVERS.clients("again")).as("clients").isEmpty());
        member.events.assertLegal();
    }

    @Test
    void a_member_at_rest_has_few_threads_of_its_own() {
        try (TestMember member = TestMember.startLeader(group, "at-rest")) {
            eventually().until(() -> member.neli.snapshot().groupMembers() > 0);
            member.awaitEvent(LeaderAcquired.class);
            eventually().untilAsserted(() -> assertThat(threads("neli-at-rest-"))
                    .containsExactlyInAnyOrderElementsOf(SERVERS.threadsAtRest().stream()
                            .map("neli-at-rest-"::concat)
                            .toList()));
        }
    }

    @Test
    void starting_twice_is_starting_once_and_closing_from_several_threads_is_closing_once() {
        TestMember member = TestMember.startLeader(group, "twice", TestMember.LASTING);
        Leadership term = member.awaitLead();
        member.neli.start();
        assertThat(term.isValid()).isTrue();
        assertThat(threads("neli-twice-log")).hasSize(1);
        List<CompletableFuture<Void>> closings = List.of(1, 2, 3).stream()
                .map(number -> CompletableFuture.runAsync(member.neli::close)
                        .thenRun(() -> assertThat(threads("neli-twice-log"))
                                .as("when it returns")
                                .isEmpty()))
                .toList();
        closings.forEach(closing -> assertThat(closing).succeedsWithin(TestMember.PATIENCE));
        member.close();
        assertThat(member.events.all()).hasSize(2);
    }

    @Test
    void closing_what_was_never_started_does_nothing() {
        TestMember member = TestMember.of(group, "never", builder -> {});
        member.neli.close();
        assertThat(member.neli.snapshot().status()).isEqualTo(NeliSnapshot.Status.STOPPED);
    }

    @Tag("proof")
    @Test
    void two_live_members_of_one_name_are_distinguished() {
        try (TestMember first = TestMember.startLeader(group, "pod-1");
                TestMember second = TestMember.startStandby(group, "pod-1");
                LeaderWatch watch = new LeaderWatch(first, second)) {
            assertThat(second.neli.leader())
                    .contains(new Leader(
                            Neli.DEFAULT_ROLE, "pod-1", first.awaitLead().token(), false, Map.of()));

            // The second one leads if the machine has stalled for longer than a lease.
            TestMember leader = TestMember.leaderOf(Neli.DEFAULT_ROLE, first, second);
            TestMember other = leader == first ? second : first;
            long token = leader.awaitLead().token();
            leader.neli.close();
            assertThat(other.awaitLead().token()).isGreaterThan(token);
            watch.assertNeverTwo();
        }
    }
}
