package io.neli.internal.election;

import java.util.List;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;
import static io.neli.internal.election.OnePartition.THIRD;
import static org.assertj.core.api.Assertions.assertThat;

/** A member leads a partition while it holds a majority of its logs. */
class QuorumTest {

    @Test
    void a_new_group_is_led_once_somebody_holds_all_logs_and_then_by_two_of_three() {
        ThreeLogs logs = ThreeLogs.fresh();
        logs.passesWhile(3 * LEASE, 0, 2);
        assertThat(logs.leads()).isFalse();
        logs.passesWhile(LEASE, 0, 1, 2);
        assertThat(logs.leads()).isTrue();
        assertThat(logs.events()).hasSize(1).first().isInstanceOf(LeaderAcquired.class);
        logs.passesWhile(3 * LEASE, 0, 2);
        assertThat(logs.leads()).isTrue();
    }

    @Test
    void it_keeps_leading_when_one_log_fails_and_gets_it_back() {
        ThreeLogs logs = ThreeLogs.leading();
        for (int dead = 0; dead < 3; dead++) {
            int[] others = {(dead + 1) % 3, (dead + 2) % 3};
            logs.passesWhile(3 * LEASE, others);
            assertThat(logs.leads()).isTrue();
            assertThat(logs.holds(dead)).isFalse();
            logs.passesWhile(2 * LEASE, 0, 1, 2);
            assertThat(logs.holds(dead)).isTrue();
        }
        assertThat(logs.events()).isEmpty();
    }

    @Test
    void it_is_fenced_within_a_lease_when_two_fail_and_leads_again_with_a_larger_token_when_one_is_back() {
        ThreeLogs logs = ThreeLogs.leading();
        long token = logs.token();
        logs.passesWhile(LEASE, 1);
        assertThat(logs.leads()).isFalse();
        assertThat(logs.events()).containsExactly(new LeaderFenced("partition-0", 0, token, FenceReason.LEASE_EXPIRED));

        logs.drained(token, true);
        logs.passesWhile(2 * LEASE, 1);
        logs.passesWhile(2 * LEASE, 1, 2);
        assertThat(logs.leads()).isTrue();
        assertThat(logs.token()).isGreaterThan(token);
    }

    @Test
    void a_lost_log_whose_lease_is_over_does_not_count() {
        ThreeLogs logs = ThreeLogs.leading();
        logs.losesLog(0);
        assertThat(logs.leads()).isTrue();
        logs.losesLog(1);
        assertThat(logs.leads()).isFalse();
        assertThat(logs.events()).last().isInstanceOfSatisfying(LeaderFenced.class, fenced -> assertThat(
                        fenced.reason())
                .isEqualTo(FenceReason.LOG_GAP));
    }

    @Test
    void a_claim_on_one_log_does_not_end_leadership_and_that_log_is_claimed_back() {
        ThreeLogs logs = ThreeLogs.leading();
        logs.reads(1, ThreeLogs.claim(OTHER, logs.token() + 1));
        assertThat(logs.leads()).isTrue();
        assertThat(logs.holds(1)).isFalse();
        logs.readsResign(1);
        logs.passesWhile(100, 0, 1, 2);
        assertThat(logs.holds(1)).isTrue();
        assertThat(logs.events()).isEmpty();
    }

    @Test
    void all_claims_of_one_attempt_carry_one_token() {
        ThreeLogs logs = ThreeLogs.fresh();
        logs.passesWhile(100, 0, 1);
        logs.passesWhile(LEASE, 0, 1, 2);
        long token = logs.token();
        assertThat(logs.term(0).token()).isEqualTo(token);
        assertThat(logs.term(2).token()).isEqualTo(token);
    }

    @Test
    void it_leads_only_with_a_token_larger_than_all_before_on_the_logs_that_it_leads_by() {
        ThreeLogs logs = ThreeLogs.fresh();
        // Another member claimed the second log at the same time, with a larger token, and gave it up.
        logs.passesWhile(10, 0);
        long its = logs.moment().wallMillis() + 1_000_000;
        logs.reads(1, ThreeLogs.claim(THIRD, its));
        logs.readsResign(1);
        logs.passesWhile(LEASE, 0, 1, 2);
        assertThat(logs.leads()).isTrue();
        assertThat(logs.token()).isGreaterThan(its);
    }

    @Test
    void a_token_that_was_read_in_a_log_that_is_closed_now_is_exceeded() {
        ThreeLogs logs = ThreeLogs.leading();
        long token = logs.token();
        long ahead = logs.moment().wallMillis() + 900_000; // the token of a leader whose clock was ahead
        logs.reads(0, ThreeLogs.claim(OTHER, ahead));
        logs.losesLog(0);
        logs.passesWhile(2 * LEASE); // fenced
        logs.drained(token, true);
        logs.passesWhile(4 * LEASE, 1, 2);

        assertThat(logs.leads()).isTrue();
        assertThat(logs.token()).isGreaterThan(ahead);
    }

    @Test
    void a_handover_resigns_all_logs_when_the_work_has_ended() {
        ThreeLogs logs = ThreeLogs.leading();
        long token = logs.token();
        logs.becomes(new Restraint(true, MonotonicTime.PAST));
        assertThat(logs.leads()).isFalse();
        assertThat(logs.events()).containsExactly(new LeaderRevoked("partition-0", 0, token, RevokeReason.PAUSED));
        assertThat(logs.hasSent(0, LogRecord.Resign.class)).isFalse();
        logs.drained(token, false);
        for (int log = 0; log < 3; log++) {
            assertThat(logs.hasSent(log, LogRecord.Resign.class)).isTrue();
        }
    }

    @Test
    void an_empty_log_is_waited_for_as_long_as_the_longest_lease_in_any() {
        ThreeLogs starting = new ThreeLogs(Mode.EXCLUSIVE);
        starting.opens(0, 1);
        starting.reads(0, ThreeLogs.claim(OTHER, 1, 5 * LEASE));
        starting.readsResign(0);
        starting.opens(1, 0);
        starting.opens(2, 0);
        starting.passesWhile(4 * LEASE, 0, 1, 2);
        assertThat(starting.leads()).isFalse();
        starting.passesWhile(2 * LEASE, 0, 1, 2);
        assertThat(starting.leads()).isTrue();
    }

    @Test
    void a_log_that_was_created_again_counts_only_once_the_others_say_so() {
        ThreeLogs logs = ThreeLogs.leading();
        long token = logs.token();
        logs.losesLog(2);
        logs.opens(2, 0);
        logs.passesWhile(3 * LEASE, 0, 2);
        assertThat(logs.leads()).isFalse();
        logs.drained(token, true);
        logs.passesWhile(4 * LEASE, 0, 1, 2);
        assertThat(logs.leads()).isTrue();
        logs.passesWhile(3 * LEASE, 0, 2);
        assertThat(logs.leads()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void what_one_log_says_of_the_set_a_later_leader_writes_to_the_others(int complete) {
        ThreeLogs logs = ThreeLogs.fresh();
        for (int log = 0; log < 3; log++) {
            long term = logs.reads(log, ThreeLogs.claim(OTHER, 1));
            logs.readsThatLeads(log, OTHER, term, 1, new LogRecord.Written(term, 0), log == complete);
        }
        logs.forget();
        logs.passesWhile(LEASE + 30, 0, 1, 2);
        assertThat(logs.leads()).isTrue();
        logs.passesWhile(LEASE);
        for (int log = 0; log < 3; log++) {
            assertThat(logs.sentTo(log))
                    .hasAtLeastOneElementOfType(LogRecord.Heartbeat.class)
                    .allSatisfy(record -> assertThat(((LogRecord.Heartbeat) record)
                                    .mark()
                                    .identity()
                                    .logSet()
                                    .complete())
                            .isTrue());
        }
    }

    @Test
    void a_newer_set_is_not_what_the_other_logs_say() {
        LogSet first = new LogSet(1, 0, List.of(1L, 2L, 3L), false);
        LogIdentity identity = new LogIdentity(1, first);
        assertThat(identity.completedBy(first.changed(2, 0, 2, 4))).isEqualTo(identity);
    }

    /** Its sender may read the log that this one has replaced. */
    @Test
    void a_heartbeat_that_was_meant_for_another_log_ends_no_earlier_lease() {
        ThreeLogs logs = ThreeLogs.following();
        logs.reads(0, ThreeLogs.claim(OTHER, logs.term(0).token(), 5 * LEASE));
        long term = logs.reads(0, Records.bid(THIRD, Term.NONE));
        logs.readsThatLeads(0, THIRD, term, 0, new LogRecord.Written(term, 7), true);
        logs.reads(0, Records.resign(THIRD, term));
        logs.passesWhile(4 * LEASE, 0, 1);
        assertThat(logs.holds(0)).isFalse();
        logs.passesWhile(2 * LEASE, 0, 1);
        assertThat(logs.holds(0)).isTrue();
    }

    @Test
    void a_log_is_known_by_heartbeats_that_take_longer_than_many_intervals() {
        ThreeLogs logs = ThreeLogs.fresh();
        for (int log = 0; log < 3; log++) {
            long term = logs.reads(log, ThreeLogs.claim(OTHER, 1));
            for (int sequence = 1; sequence < 60; sequence++) {
                int read = sequence - 20;
                logs.readsThatLeads(log, OTHER, term, sequence, new LogRecord.Written(term + read, read), true);
            }
        }
        logs.forget();
        logs.passesWhile(2 * LEASE, 0, 1);
        assertThat(logs.leads()).isTrue();
    }

    @Test
    void a_leader_in_one_log_keeps_others_from_bidding_for_those_that_are_silent() {
        ThreeLogs logs = ThreeLogs.following();
        for (int round = 0; round < 20; round++) {
            logs.passesWhile(200);
            logs.readsThatLeads(2, OTHER);
        }
        for (int log = 0; log < 3; log++) {
            assertThat(logs.hasSent(log, LogRecord.Bid.class)).isFalse();
        }
        assertThat(logs.leader()).isEqualTo(OTHER);
    }

    @Test
    void a_successor_keeps_what_it_claims_while_the_former_leader_was_heard_in_a_log_that_is_dead() {
        ThreeLogs logs = ThreeLogs.following();
        logs.readsResignFor(0, ME);
        logs.arrives(0);
        logs.readsResignFor(1, ME);
        logs.passesWhile(50, 0, 1);
        assertThat(logs.leads()).isTrue();
    }

    @Test
    void after_a_crash_nothing_is_given_back_to_the_dead_leader() {
        ThreeLogs logs = ThreeLogs.following();
        logs.passesWhile(LEASE + 30, 0, 1, 2);
        assertThat(logs.leads()).isTrue();
        for (int log = 0; log < 3; log++) {
            assertThat(logs.resigned(log)).isEqualTo(Term.NONE);
        }
    }

    @Test
    void who_holds_a_minority_gives_it_to_the_leader() {
        ThreeLogs logs = ThreeLogs.fresh();
        logs.passesWhile(50, 2);
        assertThat(logs.holds(2)).isTrue();
        logs.forget();
        logs.reads(0, ThreeLogs.claim(OTHER, 1));
        logs.readsThatLeads(0, OTHER);
        assertThat(logs.sentTo(2)).last().isInstanceOfSatisfying(LogRecord.Resign.class, resign -> assertThat(
                        resign.successor())
                .isEqualTo(OTHER.hash()));
    }

    @Test
    void or_to_the_holder_of_an_earlier_log_where_none_is_left_to_be_claimed() {
        ThreeLogs logs = ThreeLogs.fresh();
        logs.reads(0, ThreeLogs.claim(OTHER, 1));
        logs.passesWhile(50, 0, 1);
        assertThat(logs.holds(1)).isFalse();
        assertThat(logs.term(1).holder()).isEqualTo(ME);
        assertThat(logs.term(1).resigned()).isTrue();
    }

    @Test
    void who_reaches_one_log_only_gives_it_up() {
        ThreeLogs logs = ThreeLogs.fresh();
        logs.passesWhile(100, 1);
        assertThat(logs.holds(1)).isTrue();
        logs.passesWhile(LEASE, 1);
        assertThat(logs.holds(1)).isFalse();
        assertThat(logs.term(1).resigned()).isTrue();
        logs.passesWhile(2 * LEASE, 1);
        assertThat(logs.events()).as("it never led").isEmpty();
    }
}
