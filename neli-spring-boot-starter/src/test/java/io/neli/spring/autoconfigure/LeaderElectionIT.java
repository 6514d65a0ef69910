package io.neli.spring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

import io.neli.spring.SharedBroker;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ExtendWith(OutputCaptureExtension.class)
class LeaderElectionIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final List<String> journal = new CopyOnWriteArrayList<>();
    private String group;

    @BeforeEach
    void nameGroup(TestInfo test) {
        group = test.getTestMethod().orElseThrow().getName();
    }

    @Test
    void the_leader_is_notified_of_each_of_its_terms_and_runs_the_job() {
        try (Member member = start("first")) {
            until(() -> journal.contains("first ends"));

            assertThat(member.neli.isLeader()).isTrue();
            long token = member.neli.leadership().orElseThrow().token();
            assertThat(member.acquiredToken()).hasValue(token);
            assertThat(journal)
                    .startsWith("first LeaderAcquiredEvent", "first prepares, leading: true", "first begins");

            member.context.stop();
            assertThat(member.neli.isLeader()).isFalse();
            member.context.start();

            until(() -> member.acquiredToken().orElseThrow() != token);
            assertThat(member.acquiredToken().orElseThrow()).isGreaterThan(token);
        }
    }

    @Test
    void a_second_member_knows_who_leads_and_runs_the_job_only_after_a_handover_that_waits_for_the_running_one() {
        try (Member first = start("first")) {
            until(first.neli::isLeader);
            try (Member second = start("second")) {
                until(() -> second.neli.leader().isPresent());
                int before = runs("first");
                until(() -> runs("first") > before + 10);
                assertThat(second.neli.leader()).hasValueSatisfying(leader -> {
                    assertThat(leader.name()).isEqualTo("first");
                    assertThat(leader.self()).isFalse();
                });
                assertThat(second.neli.isLeader()).isFalse();
                assertThat(journal).noneMatch(of("second"));

                CountDownLatch hold = first.job.hold();
                until(() -> journal.contains("first waits"));
                CompletableFuture<Void> closing = CompletableFuture.runAsync(first::close);
                until(() -> journal.contains("first LeaderRevokedEvent"));
                assertThat(second.neli.isLeader()).isFalse();
                hold.countDown();

                until(() -> journal.contains("second LeaderAcquiredEvent"));
                assertThat(closing).succeedsWithin(PATIENCE);
                assertThat(first.job.leaders).startsWith("default: first");
                await().atMost(PATIENCE).untilAsserted(() -> assertThat(second.job.leaders)
                        .containsExactly("default: first", "default: nobody", "default: second"));
                List<String> events = List.copyOf(journal);
                assertThat(events.subList(events.indexOf("second LeaderAcquiredEvent"), events.size()))
                        .noneMatch(of("first"));
                assertThat(events.lastIndexOf("first ends")).isGreaterThan(events.lastIndexOf("first begins"));
                assertThat(second.acquiredToken().orElseThrow())
                        .isGreaterThan(first.acquiredToken().orElseThrow());
            }
        }
    }

    @Test
    void the_log_says_who_takes_part_where_and_on_each_member_who_leads(CapturedOutput output) {
        try (Member first = start("first")) {
            until(first.neli::isLeader);
            String term = ", partition 0, token "
                    + first.neli.leadership().orElseThrow().token();
            try (Member second = start("second")) {
                until(() -> !second.job.leaders.isEmpty());

                String start =
                        "starts, with " + group + ".neli at " + SharedBroker.address() + ", roles [default], lease 30s";
                // The listeners are notified before the log is written.
                await().atMost(PATIENCE).untilAsserted(() -> assertThat(output)
                        .containsOnlyOnce("Group " + group + ": first " + start)
                        .containsOnlyOnce("Group " + group + ": second " + start)
                        .containsOnlyOnce("Group " + group + ", role default: this member leads" + term)
                        .containsOnlyOnce("Group " + group + ", role default: first leads" + term));
            }
        }
    }

    @Test
    void start_up_does_not_wait_for_kafka() {
        try (Member member = Member.start("first", journal, "neli.kafka.bootstrap-servers=localhost:1")) {
            assertThat(member.neli.isLeader()).isFalse();
            assertThat(journal).isEmpty();
        }
    }

    private Member start(String name) {
        return Member.start(
                name,
                journal,
                "neli.group-id=" + group,
                "neli.lease-duration=30s", // longer than a busy machine stalls
                "spring.kafka.bootstrap-servers=" + SharedBroker.address(),
                "spring.task.scheduling.pool.size=2");
    }

    private int runs(String member) {
        return (int) journal.stream().filter((member + " ends")::equals).count();
    }

    private static Predicate<String> of(String member) {
        return entry -> entry.startsWith(member + " ");
    }

    private static void until(Callable<Boolean> condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(condition);
    }
}
