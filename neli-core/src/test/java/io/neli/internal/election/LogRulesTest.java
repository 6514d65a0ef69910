package io.neli.internal.election;

import java.time.Duration;
import java.util.List;

import io.neli.LeaderEvent.FenceReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;
import static io.neli.internal.election.OnePartition.THIRD;
import static io.neli.internal.election.OnePartition.fenced;
import static io.neli.internal.election.OnePartition.heartbeat;
import static org.assertj.core.api.Assertions.assertThat;

/** What the log says, also after it has lost records or was replaced. */
class LogRulesTest {

    private final OnePartition partition = OnePartition.fresh();

    @Test
    void a_term_whose_claim_is_in_a_hole_is_adopted() {
        partition.readsClaim(OTHER);
        partition.readsAt(9, heartbeat(THIRD, 5, LEASE));

        assertThat(partition.term()).isEqualTo(5);
        assertThat(partition.full().term().holder()).isEqualTo(THIRD);
    }

    @ParameterizedTest
    @CsvSource({"7, 3, 8", "3, 3, 0"})
    void a_heartbeat_of_a_reader_that_cannot_be_that_far_or_of_a_term_that_cannot_exist_yet_is_ignored(
            long offset, long term, long upTo) {
        partition.readsAt(offset, Records.heartbeat(OTHER, 1, Duration.ofMillis(LEASE), term, true, upTo));

        assertThat(partition.term()).isEqualTo(Term.NONE);
    }

    @Test
    void a_heartbeat_of_a_term_that_was_resigned_or_is_not_the_latest_is_stale() {
        long first = partition.readsClaim(OTHER);
        partition.readsResign(OTHER, first);
        partition.readsThatLeads(OTHER, first);
        assertThat(partition.leader()).isNull();

        partition.readsClaim(THIRD);
        partition.readsHeartbeat(OTHER, first);
        assertThat(partition.full().term().holder()).isEqualTo(THIRD);
    }

    @Test
    void a_heartbeat_of_another_than_the_holder_is_false_and_who_has_only_claimed_is_not_known_to_lead() {
        long term = partition.readsClaim(OTHER);
        assertThat(partition.leader()).isNull();
        partition.readsThatLeads(OTHER, term);
        partition.passes(400);
        partition.readsHeartbeat(THIRD, term);

        assertThat(partition.leader()).isEqualTo(OTHER);
        partition.passes(610);
        assertThat(partition.leader()).isNull();
    }

    @Test
    void only_the_holder_resigns_and_only_from_the_current_term() {
        long first = partition.readsClaim(OTHER);
        long term = partition.readsClaim(OTHER);
        partition.readsThatLeads(OTHER, term);
        partition.readsResign(THIRD, term);
        partition.readsResign(OTHER, first);

        assertThat(partition.leader()).isEqualTo(OTHER);
    }

    @Test
    void records_that_are_not_ours_are_passed_over() {
        partition.reads(new Decoded.Unreadable(false));
        assertThat(partition.take(Action.ReportCopy.class)).isEmpty();
        partition.reads(new Decoded.Unreadable(true));
        assertThat(partition.take(Action.ReportCopy.class)).hasSize(1);
        assertThat(partition.readsClaim(OTHER)).isEqualTo(partition.term());
    }

    @Test
    void a_foreign_holder_may_lead_for_its_lease_and_the_margin_after_its_latest_record_was_read() {
        long term = partition.readsClaim(OTHER, 2_000);
        partition.passes(500);
        partition.readsHeartbeat(OTHER, term);
        partition.reads(Records.heartbeat(OTHER, 2, Duration.ofMillis(2_000), term, true, 0));

        partition.passes(2_019);
        assertThat(partition.leader()).isEqualTo(OTHER);
        partition.passes(1);
        assertThat(partition.leader()).isNull();
    }

    @Test
    void records_read_while_the_log_is_lost_are_ignored() {
        partition.losesLog();
        partition.readsClaim(OTHER);

        assertThat(partition.term()).isEqualTo(Term.NONE);
    }

    private LogRecord.Heartbeat beats() {
        partition.passesTo(partition.deadline());
        return (LogRecord.Heartbeat) partition.appends().get(0);
    }

    private LogRecord.Heartbeat inItsName(LogRecord.Heartbeat own, long sequence) {
        return Records.heartbeat(ME, sequence, Duration.ofMillis(LEASE), own.term(), true, own.upTo());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    void a_record_in_its_name_with_a_sequence_that_it_has_not_used_yet_or_has_left_out_ends_its_terms(long away) {
        long term = partition.takesLeadership();
        partition.isLate(700);
        LogRecord.Heartbeat own = beats();
        partition.reads(own);
        partition.reads(inItsName(own, own.grant().sequence() + away));

        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.events()).contains(fenced(term, FenceReason.SUPERSEDED));
        assertThat(partition.renewals()).isEqualTo(1);
        assertThat(partition.log().isOpen()).isFalse();
    }

    @Test
    void its_own_records_do_not_when_they_come_once_more_or_are_read_again() {
        partition.waitsToBid();
        LogRecord.Claim claim = partition.claimed();
        partition.reads(claim);
        partition.forget();
        partition.isLate(700);
        LogRecord.Heartbeat own = beats();
        partition.reads(own);
        partition.reads(own);
        assertThat(partition.state()).isEqualTo(State.LEADING);

        partition.losesLog();
        partition.opens(0, 5);
        partition.reads(claim);
        partition.reads(own);
        partition.reads(inItsName(own, own.grant().sequence() - 1));

        assertThat(partition.log().isOpen()).isTrue();
        assertThat(partition.renewals()).isZero();
    }

    @Test
    void a_claim_that_meets_a_gap_ends_without_any_event() {
        partition.waitsToBid();
        partition.losesLog();

        assertThat(partition.events()).isEmpty();
        assertThat(partition.log().claim).isNull();
    }

    @Test
    void at_a_gap_holder_and_term_are_forgotten_and_the_holders_lease_is_waited_for_even_on_an_empty_log() {
        OnePartition following = OnePartition.following(OTHER);
        MonotonicTime bound = following.log().view.holderBound;
        following.losesLog();
        assertThat(following.full().term()).isNull();

        following.opens(50, 60);
        assertThat(following.term()).isEqualTo(Term.NONE);
        assertThat(following.full().caughtUp()).isFalse();

        following.losesLog();
        following.opens(0, 0);
        assertThat(following.log().view.othersBound()).isEqualTo(bound);
    }

    @Test
    void reading_its_own_old_records_again_never_leads_with_the_old_token() {
        partition.waitsToBid();
        LogRecord.Claim claim = partition.claimed();
        long token = partition.reads(claim);
        List<LogRecord> own = partition.appends();
        partition.losesLog();
        partition.forget();

        partition.opens(0, token + 2);
        partition.readsAt(token, claim);
        own.forEach(partition::reads);

        assertThat(partition.term()).isEqualTo(token);
        assertThat(partition.full().term().holder()).isEqualTo(ME);
        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.events()).isEmpty();
        partition.fencedWorkEnds(token);
        assertThat(partition.takesLeadership()).isGreaterThan(token);
    }

    @Test
    void a_log_that_is_opened_again_without_a_notice_of_the_loss_is_a_gap_too() {
        OnePartition leading = OnePartition.leading();
        long token = leading.term();
        leading.opens(5, 5);

        assertThat(leading.events()).containsExactly(fenced(token, FenceReason.LOG_GAP));
        assertThat(leading.state()).isEqualTo(State.STANDBY);
    }

    @Test
    void a_member_does_not_bid_before_it_has_read_what_was_there() {
        OnePartition unopened = OnePartition.unopened().opens(0, 5);
        unopened.passes(10_000);

        assertThat(unopened.appends()).isEmpty();
    }
}
