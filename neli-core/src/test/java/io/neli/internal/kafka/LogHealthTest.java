package io.neli.internal.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.neli.internal.election.LogId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.Problems;
import io.neli.internal.shell.UnusableLogException;
import org.apache.kafka.clients.admin.MockAdminClient;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Two partitions on three logs each. */
class LogHealthTest {

    private static final TimeoutException EXPIRED = new TimeoutException("no answer");
    private static final TopicAuthorizationException REFUSED = new TopicAuthorizationException("meant to fail");

    private final KafkaSettings settings = Settings.withQuorum(Settings.offline(Map.of()), 2, 3);
    private final Problems problems = new Problems("group");
    private MonotonicTime now = new MonotonicTime(0);
    private final MemberClock clock = () -> new Moment(now, 0);
    private final FakeTopics topics =
            new FakeTopics(settings, clock, MockAdminClient.create().build());
    private List<Integer> needed = List.of(2, 2);
    private Set<LogId> createdAgain = Set.of();
    private final LogPositions positions = new LogPositions(true);
    private final LogHealth health = health(settings);

    private LogHealth health(KafkaSettings of) {
        return new LogHealth(of, topics, positions, clock, problems);
    }

    private static LogId log(int partition, int number) {
        return new LogId(partition, number);
    }

    private void passes(double leases) {
        now = now.plus(Duration.ofMillis((long) (leases * Settings.LEASE.toMillis())));
    }

    private String problem(Problems.Source source, LogId... closed) {
        topics.brokers.put(1, Set.of(7));
        health.report(Set.of(closed), needed::get, createdAgain::contains);
        assertThat(Problems.Source.values())
                .filteredOn(each -> problems.of(each).isPresent())
                .containsExactly(source);
        return problems.of(source).map(Problem::text).orElseThrow();
    }

    private void assertNoProblem(LogId... closed) {
        health.report(Set.of(closed), needed::get, createdAgain::contains);
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
                        "delete none of the topics");
        assertThat(problem(Problems.Source.LOGS, log(0, 1), log(1, 1))).contains("delete the topic");
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
        needed = List.of(3, 2);
        createdAgain = Set.of(log(1, 2));
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
        topics.failures.put(1, new UnusableLogException("it is compacted", "change it"));
        assertThat(problem(Problems.Source.LOGS))
                .contains("'group.neli.1' partitions [0, 1]", "(it is compacted)", "; change it");
        needed = List.of(3, 3);
        assertThat(problem(Problems.Source.ALL_PARTITIONS))
                .contains("for the first time (it is compacted), so this member sees no leader there", "; change it");
        topics.failures.clear();
        assertNoProblem();
    }

    @Test
    void a_log_that_cannot_be_written_for_longer_than_a_lease_is_a_problem_until_it_can() {
        health.written(log(0, 1), -1);
        health.failed(log(0, 1), EXPIRED);
        assertNoProblem();
        passes(1.1);
        health.written(log(0, 0), -1);
        health.failed(log(0, 1), EXPIRED);
        assertThat(problem(Problems.Source.LOGS)).contains("'group.neli.1' partitions [0]", "no answer");
        health.written(log(0, 1), -1);
        assertNoProblem();
    }

    @Test
    void what_does_not_pass_is_a_problem_at_once() {
        health.failed(log(0, 1), REFUSED);
        assertThat(problem(Problems.Source.LOGS)).contains("no right to WRITE on this topic", "; grant WRITE");
        health.failed(log(1, 2), REFUSED);
        assertThat(problems.of(Problems.Source.LOG)).as("another partition").isEmpty();
        health.failed(log(0, 2), REFUSED);
        assertThat(problems.of(Problems.Source.LOG)).isPresent();
    }

    /** It is logged once, and not at each heartbeat. */
    @Test
    void a_right_that_is_missing_on_all_topics_stays_one_problem() {
        List<LogId> logs = List.of(log(0, 0), log(0, 1), log(0, 2));
        logs.forEach(each -> health.failed(each, REFUSED));
        Optional<Problem> first = problems.of(Problems.Source.LOG);
        assertThat(first).isPresent();
        assertThat(logs).allSatisfy(each -> {
            health.failed(each, REFUSED);
            assertThat(problems.of(Problems.Source.LOG)).isEqualTo(first);
        });
    }

    /** A leader writes to all logs at the same time. */
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
            health.read(Set.of(log(0, 0), log(0, 2)));
        }
        assertThat(problem(Problems.Source.LOGS)).contains("'group.neli.1' partitions [0]");
        health.read(Set.of(log(0, 1)));
        assertNoProblem();
    }

    /** A leader with one log does not write to the others. */
    @Test
    void a_log_on_which_nothing_comes_from_a_leader_with_other_settings_is_no_problem() {
        health.opened(Set.of(log(0, 0), log(0, 1), log(0, 2)));
        problems.report(Problems.Source.CONFLICT, new Problem("another quorum", "stop all members", true));
        for (int count = 0; count < 40; count++) {
            passes(0.1);
            health.read(Set.of(log(0, 0)));
            assertThat(problem(Problems.Source.CONFLICT)).contains("another quorum");
        }
        problems.clear(Problems.Source.CONFLICT);
        assertNoProblem();
    }

    /** For a group whose partitions have one log each, a problem of the log is a problem of the connection. */
    @Nested
    class OfSingleLogs {

        private static final LogId LOG = new LogId(0, 0);

        private final LogHealth single = health(Settings.withPartitions(settings, 4));

        private String problem() {
            return problems.mostSerious().map(Problem::text).orElse("");
        }

        /** A producer that may not write to any topic gets the second and the third. */
        @Test
        void a_right_to_write_that_is_missing_is_named_in_whatever_words_it_is_refused() {
            for (RuntimeException refusal : List.of(
                    REFUSED,
                    new ClusterAuthorizationException("meant to fail"),
                    new AuthenticationException(new ClusterAuthorizationException("meant to fail")))) {
                single.failed(LOG, refusal);
                assertThat(problem()).contains("neli.topic.name is 'group.neli'", "no right to WRITE on this topic");
                problems.clear(Problems.Source.LOG);
            }
        }

        /** Otherwise such a member would be FAILED at its own bids, and RUNNING at the leader's heartbeats. */
        @Test
        void a_missing_right_to_write_is_a_problem_until_something_is_written_or_nothing_for_long() {
            single.failed(LOG, REFUSED);
            single.read(Set.of(LOG));
            single.read(Set.of(new LogId(1, 0)));
            single.written(new LogId(1, 0), -1);
            assertThat(problem()).contains("no right to WRITE on this topic");
            single.written(LOG, -1);
            assertThat(problem()).isEmpty();

            single.failed(LOG, REFUSED);
            passes(3.1);
            single.read(Set.of(LOG));
            assertThat(problem()).isEmpty();
        }

        @Test
        void records_that_fail_for_reasons_that_do_not_pass_end_the_connection() {
            KafkaException failure = new KafkaException("meant to fail");
            single.failed(LOG, failure);
            single.failed(LOG, failure);
            single.written(new LogId(1, 0), -1);
            single.failed(LOG, failure);
            single.failed(LOG, failure);
            single.read(Set.of(LOG)); // shows only that the reader works
            assertThatThrownBy(() -> single.failed(LOG, failure))
                    .isInstanceOf(UnusableLogException.class)
                    .hasMessageContaining("the Kafka client cannot be used, meant to fail");
        }

        @Test
        void records_that_the_brokers_refuse_are_no_problem_of_the_network() {
            RecordTooLargeException refusal = new RecordTooLargeException("meant to fail");
            single.failed(LOG, refusal);
            single.failed(LOG, refusal);
            single.read(Set.of(new LogId(1, 0)));
            single.failed(LOG, refusal);
            single.failed(LOG, refusal);
            assertThatThrownBy(() -> single.failed(LOG, refusal))
                    .isInstanceOfSatisfying(UnusableLogException.class, failure -> assertThat(
                                    failure.problem().text())
                            .contains("neli.topic.name is 'group.neli'", "meant to fail", "max.message.bytes")
                            .doesNotContain("address"));
            Problem late = new KafkaProblems(settings).ofWriting(0, new InvalidTimestampException("now"));
            assertThat(late.text()).contains("the brokers' clocks are far from this member's; set"); // and no time
        }

        @Test
        void a_partition_that_cannot_be_written_while_others_can_is_a_problem() {
            single.failed(LOG, EXPIRED);
            passes(1.1);
            single.written(new LogId(1, 0), -1);
            single.report(Set.of(), partition -> 1, log -> false);
            assertThat(problem()).contains("its partitions [0] cannot be read and written (", "no answer");
            single.written(LOG, -1);
            single.report(Set.of(), partition -> 1, log -> false);
            assertThat(problem()).isEmpty();
        }

        @Test
        void a_partition_is_to_be_read_up_to_what_was_written_to_it_within_two_leases() {
            positions.open(LOG, 0, 0);
            single.written(LOG, 0);
            assertThat(single.stuck()).isEmpty();
            passes(2.1);
            assertThatThrownBy(single::stuck)
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("partition 0 is not read, although something was written");

            positions.read(Map.of(LOG, new OffsetAndMetadata(1)));
            assertThat(single.stuck()).isEmpty();
            assertThat(problem()).isEmpty();
        }

        /** For example, the reader of a new member, which has many records to read before its own. */
        @Test
        void a_reader_that_proceeds_has_the_time_it_needs() {
            positions.open(LOG, 0, 0);
            long own = 9;
            single.written(LOG, own);
            for (long next = 1; next <= own; next++) {
                assertThat(single.stuck()).isEmpty();
                passes(1.5);
                positions.read(Map.of(LOG, new OffsetAndMetadata(next)));
                single.read(Set.of(LOG));
            }
            assertThat(single.stuck()).isEmpty();
            passes(2.5);
            assertThatThrownBy(single::stuck).isInstanceOf(TimeoutException.class);
        }

        @Test
        void a_partition_that_is_closed_does_not_have_to_be_read() {
            positions.open(LOG, 0, 0);
            single.written(LOG, 0);
            assertThat(single.stuck()).isEmpty();
            positions.lost(Set.of(LOG));
            assertThat(single.stuck()).isEmpty();
            positions.open(LOG, 0, 0);
            assertThat(single.stuck()).isEmpty();
            passes(2.5);
            assertThat(single.stuck()).isEmpty();
        }

        @Test
        void a_log_that_is_not_read_to_the_end_that_it_had_has_lost_it_if_no_record_of_this_member_is_missing() {
            positions.open(LOG, 0, 10);
            single.opened(Set.of(LOG));
            assertThat(single.stuck()).isEmpty();
            passes(1.9);
            assertThat(single.stuck()).isEmpty();
            single.read(Set.of(LOG)); // Kafka's client also names partitions whose answer has no records
            passes(0.2);
            assertThat(single.stuck()).containsExactly(LOG);

            single.written(LOG, 5);
            assertThat(single.stuck()).as("counted from when it is known").isEmpty();
            passes(2.1);
            assertThatThrownBy(single::stuck).isInstanceOf(TimeoutException.class);
        }

        /** For example, records of a member that was paused while no broker was up. */
        @Test
        void what_failed_is_no_problem_any_more_when_nothing_is_written_for_long() {
            passes(1.1);
            single.failed(LOG, EXPIRED);
            single.read(Set.of());
            assertThat(problem()).contains("no answer", "in-sync replicas");
            passes(3.1);
            single.read(Set.of());
            assertThat(problem()).isEmpty();
        }
    }
}
