package io.neli.internal.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.neli.internal.election.LogId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.Problems;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Two partitions on three logs each. */
class LogReportTest {

    private static final Problem EXPIRED = new Problem("no answer", "wait", true);
    private static final Problem REFUSED = new Problem("no right", "grant it", false);

    private final KafkaSettings settings = Settings.withQuorum(Settings.offline(Map.of()), 2, 3);
    private final Problems problems = new Problems("group");
    private final Map<Integer, RuntimeException> unusable = new HashMap<>();
    private MonotonicTime now = new MonotonicTime(0);
    private LogReport.Counted counted = new LogReport.Counted(partition -> 2, Set.of());
    private final LogHealth health = new LogHealth(settings, () -> new Moment(now, 0));
    private final LogReport report = new LogReport(settings, problems, health);

    private static LogId log(int partition, int number) {
        return new LogId(partition, number);
    }

    private void passes(double leases) {
        now = now.plus(Duration.ofMillis((long) (leases * Settings.LEASE.toMillis())));
    }

    private String problem(Problems.Source source, LogId... closed) {
        report.report(Set.of(closed), unusable, number -> number == 1 ? Set.of(7) : Set.of(), counted);
        List<Problems.Source> all = List.of(
                Problems.Source.LOG, Problems.Source.ALL_PARTITIONS, Problems.Source.PARTITION, Problems.Source.LOGS);
        assertThat(all).filteredOn(each -> problems.of(each).isPresent()).containsExactly(source);
        return problems.of(source).map(Problem::text).orElseThrow();
    }

    private void assertNoProblem(LogId... closed) {
        report.report(Set.of(closed), unusable, number -> Set.of(), counted);
        assertThat(problems.mostSerious()).isEmpty();
    }

    @Test
    void a_minority_that_is_closed_is_a_problem_of_these_logs() {
        assertThat(problem(Problems.Source.LOGS, log(0, 1), log(1, 2)))
                .contains(
                        "neli.quorum is '3'",
                        "'group.neli.1' partitions [0] on brokers [7]",
                        "'group.neli.2' partitions [1]",
                        "leadership continues with the others",
                        "delete the topic");
        assertNoProblem();
    }

    @Test
    void a_partition_without_a_majority_of_its_logs_cannot_be_led() {
        assertThat(problem(Problems.Source.PARTITION, log(0, 1), log(0, 2)))
                .contains("fewer than 2 of the 3 logs", "partitions [0]");
        assertThat(problem(Problems.Source.ALL_PARTITIONS, log(0, 1), log(0, 2), log(1, 0), log(1, 1)))
                .contains("partitions [0, 1]");
        assertNoProblem();
    }

    @Test
    void a_new_group_needs_all_logs_and_one_that_was_created_again_is_no_help() {
        counted = new LogReport.Counted(partition -> partition == 0 ? 3 : 2, Set.of(log(1, 2)));
        assertThat(problem(Problems.Source.PARTITION, log(0, 1)))
                .contains("not all of the 3 logs", "partitions [0]", "for the first time", "has a leader");
        assertThat(problem(Problems.Source.PARTITION, log(0, 0), log(0, 1), log(0, 2)))
                .as("it may be no new group: without any log one cannot tell")
                .contains("fewer than 2 of the 3 logs");
        assertThat(problem(Problems.Source.PARTITION, log(1, 1)))
                .contains("[group.neli.2] were created again", "delete all of the topics [group.neli, group.neli.1, ");
        assertThat(problem(Problems.Source.LOGS, log(1, 2))).contains("leadership continues");
    }

    @Test
    void a_topic_that_cannot_be_used_is_named_with_the_reason_and_the_fix() {
        unusable.put(1, new UnusableTopicException("it is compacted", "change it"));
        assertThat(problem(Problems.Source.LOGS))
                .contains("'group.neli.1' partitions [0, 1]", "(it is compacted)", "; change it");
        counted = new LogReport.Counted(partition -> 3, Set.of());
        assertThat(problem(Problems.Source.ALL_PARTITIONS))
                .contains("for the first time (it is compacted), so nobody", "; change it");
        unusable.clear();
        assertNoProblem();
    }

    @Test
    void a_log_that_cannot_be_written_for_longer_than_a_lease_is_a_problem_until_it_can() {
        health.works(log(0, 1));
        health.fails(log(0, 1), EXPIRED, false);
        assertNoProblem();
        passes(1.1);
        health.fails(log(0, 1), EXPIRED, false);
        assertThat(problem(Problems.Source.LOGS)).contains("'group.neli.1' partitions [0]", "(no answer)");
        health.works(log(0, 1));
        assertNoProblem();
    }

    @Test
    void what_does_not_pass_is_a_problem_at_once() {
        health.fails(log(0, 1), REFUSED, true);
        assertThat(problem(Problems.Source.LOGS)).contains("(no right)", "; grant it");
        assertThat(health.isLastingMajority(0)).isFalse();
        health.fails(log(1, 2), REFUSED, true);
        assertThat(health.isLastingMajority(0)).as("another partition").isFalse();
        health.fails(log(0, 2), REFUSED, true);
        assertThat(health.isLastingMajority(0)).isTrue();
    }

    /** A leader writes to all logs at once. */
    @Test
    void a_log_on_which_nothing_comes_while_the_others_are_written_is_a_problem() {
        Set<LogId> logs = Set.of(log(0, 0), log(0, 1), log(0, 2));
        health.opened(logs);
        passes(10);
        assertNoProblem();
        health.opened(logs);
        for (int count = 0; count < 31; count++) {
            assertNoProblem();
            passes(0.1);
            health.read(log(0, 0));
            health.read(log(0, 2));
        }
        assertThat(problem(Problems.Source.LOGS)).contains("'group.neli.1' partitions [0]");
        health.read(log(0, 1));
        assertNoProblem();
    }
}
