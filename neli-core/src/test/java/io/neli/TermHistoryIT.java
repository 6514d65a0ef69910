package io.neli;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderTerm.End;
import io.neli.cluster.Await;
import io.neli.cluster.Cluster;
import io.neli.cluster.MemberProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static io.neli.TestMember.LASTING;
import static io.neli.TestMember.LEASE;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Leaders whose terms end in every way, and what the log says of them later. */
class TermHistoryIT {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Map<String, String> METADATA = Map.of("url", "http://second");

    @TempDir
    private Path directory;

    /** A term as the test saw it. What made the member lead came later than {@code from}. */
    private record Seen(long token, String member, Instant from, End end) {}

    /** Reads the history by a member that is never started. */
    private static List<LeaderTerm> history(String group) throws InterruptedException {
        TestServers servers = TestServers.get();
        return servers.builder(servers.shared()).groupId(group).build().history(Neli.DEFAULT_ROLE, HOUR);
    }

    @Test
    void it_tells_who_led_from_when_to_when_and_how_each_term_ended() throws Exception {
        List<Seen> seen = new ArrayList<>();
        Instant from = Instant.now();
        Map<String, String> servers = Map.of("first", TestServers.get().shared());
        String group;
        try (Cluster cluster = new Cluster(directory, "history", LEASE, Duration.ofMillis(100), servers)) {
            group = cluster.group();
            MemberProcess process = cluster.start("first");
            cluster.awaitLeader();
            long token = cluster.latestToken();
            seen.add(new Seen(token, "first", from, End.RESIGNED_AFTER_FENCE));
            eventually().until(() -> !history(group).isEmpty()); // else its heartbeat may be stored after its lease
            process.stop();
            Await.elapsed(LEASE.plusSeconds(1));
            from = Instant.now();
            process.resume();
            eventually().until(() -> cluster.latestToken() > token);
            seen.add(new Seen(cluster.latestToken(), "first", from, End.SILENT));

            // Neither may ask the first for a handover before it is killed.
            Consumer<NeliBuilder> observing = LASTING.andThen(builder -> builder.candidate(false));
            try (TestMember second = TestMember.startStandby(
                            group, "second", observing.andThen(builder -> builder.metadata(METADATA)));
                    TestMember third = TestMember.startStandby(group, "third", observing)) {
                from = Instant.now();
                process.kill();
                second.neli.candidate(true);
                seen.add(ledBy(second, from, End.HANDED_OVER));
                third.neli.candidate(true);
                eventually().until(() -> third.neli.snapshot().eligible());
                from = Instant.now();
                second.neli.close();
                seen.add(ledBy(third, from, End.HANDED_OVER));
                eventually().untilAsserted(() -> assertThat(third.neli.history(Neli.DEFAULT_ROLE, HOUR))
                        .last()
                        .satisfies(last -> assertThat(last.member()).isEqualTo("third"))
                        .satisfies(last -> assertThat(last.ended()).isEmpty()));
            }
        }
        assertIsAsSeen(history(group), seen);
    }

    private static Seen ledBy(TestMember member, Instant from, End end) {
        return new Seen(member.awaitEvent(LeaderAcquired.class).token(), member.name, from, end);
    }

    private static void assertIsAsSeen(List<LeaderTerm> history, List<Seen> seen) {
        assertThat(history)
                .extracting(term -> term.member() + " " + term.token() + " " + term.end())
                .containsExactlyElementsOf(seen.stream()
                        .map(each -> each.member + " " + each.token + " " + Optional.of(each.end))
                        .toList());
        for (int i = 0; i < seen.size(); i++) {
            LeaderTerm term = history.get(i);
            Instant acquired = term.acquired().orElseThrow();
            assertThat(acquired).isAfterOrEqualTo(millis(seen.get(i).from));
            assertThat(term.metadata()).isEqualTo(term.member().equals("second") ? METADATA : Map.of());
            if (i == 0) {
                assertThat(term.unledBefore()).isEmpty();
                continue;
            }
            LeaderTerm before = history.get(i - 1);
            Instant ended = before.ended().orElseThrow();
            assertThat(before.successor()).contains(term.member());
            assertThat(term.unledBefore()).contains(Duration.between(ended, acquired));
            if (seen.get(i - 1).end == End.HANDED_OVER) {
                assertThat(ended).isBetween(millis(seen.get(i).from), acquired);
            } else {
                assertThat(ended).isBetween(before.acquired().orElseThrow(), acquired.minus(LEASE));
            }
        }
        assertThat(history.get(seen.size() - 1).successor()).isEmpty();
    }

    /** The time with the precision of the log. */
    private static Instant millis(Instant time) {
        return time.truncatedTo(ChronoUnit.MILLIS);
    }

    @Test
    void it_is_of_one_role_and_refuses_what_is_no_time() throws Exception {
        String group = TestServers.unusedName("history");
        try (TestMember member =
                TestMember.startLeader(group, "one", LASTING.andThen(builder -> builder.roles("a", "b")))) {
            eventually().until(() -> member.neli.isLeader("b"));
            assertThat(member.neli.history("b", HOUR)).hasSize(1);
            assertThat(history(group)).hasSize(1);
            assertThatThrownBy(() -> member.neli.history("a", Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("longer than 0");
        }
    }

    /** For a thread of the common pool, an executable jar looks like this. */
    @Test
    void a_thread_whose_context_class_loader_does_not_know_us_starts_a_member_and_reads_it() throws Exception {
        String group = TestServers.unusedName("history");
        TestMember member = TestMember.of(group, "one", LASTING);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try (member) {
            member.neli.start();
            member.awaitLead();
            assertThat(history(group)).hasSize(1);
            assertThat(thread.getContextClassLoader()).isEqualTo(ClassLoader.getPlatformClassLoader());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void a_log_that_is_not_there_is_named() {
        String group = TestServers.unusedName("history");
        assertThatThrownBy(() -> history(group))
                .isInstanceOf(NeliException.class)
                .hasMessageContaining(TestServers.get().topic(group));
    }

    @Tag(TestServers.KAFKA) // NATS has one stream for all partitions
    @Test
    void a_partition_that_is_not_there_is_named() {
        String group = TestServers.unusedName("history");
        TestServers servers = TestServers.get();
        try (TestMember member = TestMember.startLeader(group, "one", LASTING)) {
            Neli wider = servers.builder(servers.shared())
                    .groupId(group)
                    .roles("a", "b")
                    .build();
            assertThatThrownBy(() -> wider.history("b", HOUR))
                    .as(member.name)
                    .isInstanceOf(NeliException.class)
                    .hasMessageContaining("no topic '" + servers.topic(group) + "' with a partition 1");
        }
    }
}
