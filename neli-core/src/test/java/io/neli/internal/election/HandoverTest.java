package io.neli.internal.election;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.RevokeReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.neli.internal.election.OnePartition.HANDOVER_TIMEOUT;
import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;
import static io.neli.internal.election.OnePartition.THIRD;
import static io.neli.internal.election.OnePartition.fenced;
import static io.neli.internal.election.OnePartition.revoked;
import static org.assertj.core.api.Assertions.assertThat;

/** Leadership that ends on purpose. */
class HandoverTest {

    private final OnePartition partition = OnePartition.leading();
    private final long token = partition.term();

    private void ownerAsks(MemberId owner) {
        partition.assigned(owner, partition.term());
        partition.readsBid(owner, partition.term());
    }

    @Test
    void a_leader_that_is_paused_drains_and_resigns_when_its_work_has_ended() {
        partition.pauses();
        assertThat(partition.state()).isEqualTo(State.DRAINING);
        assertThat(partition.isLeader()).isFalse();
        assertThat(partition.events()).containsExactly(revoked(token, RevokeReason.PAUSED));
        assertThat(partition.appends()).isEmpty();

        partition.drained(token);
        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.appends()).satisfiesExactly(OnePartition.isResign(ME, token));
        assertThat(partition.events()).isEmpty();
    }

    @Test
    void of_several_reasons_to_drain_a_close_is_reported() {
        partition.becomes(
                new Eligibility(true, true, new Restraint(true, MonotonicTime.PAST), true, Conflict.GROUP_CONFIG));

        assertThat(partition.events()).containsExactly(revoked(token, RevokeReason.CLOSING));
    }

    @Test
    void a_draining_leader_that_is_eligible_again_does_not_lead_again_in_that_term() {
        partition.pauses();
        partition.resumes();
        assertThat(partition.state()).isEqualTo(State.DRAINING);

        partition.drained(token);
        partition.forget();
        partition.readsResign(ME, token);
        assertThat(partition.takesLeadership()).isGreaterThan(token);
    }

    @Test
    void the_end_of_another_terms_work_is_ignored() {
        partition.drained(token);
        partition.pauses();
        partition.drained(token - 1);
        partition.drained(token + 1);

        assertThat(partition.state()).isEqualTo(State.DRAINING);
    }

    @Test
    void work_that_goes_on_too_long_is_fenced_and_its_term_is_resigned_when_it_ends() {
        partition.pauses();
        partition.forget();
        partition.leadsOn(HANDOVER_TIMEOUT);

        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.events()).containsExactly(fenced(token, FenceReason.HANDOVER_TIMED_OUT));
        assertThat(partition.full().isSettledAt(partition.moment())).isFalse();
        partition.passes(LEASE);
        assertThat(partition.full().isSettledAt(partition.moment())).isTrue();
        assertThat(partition.appends()).isEmpty();
        partition.drained(token);
        assertThat(partition.appends()).satisfiesExactly(OnePartition.isResign(ME, token));
    }

    @Test
    void the_leader_hands_over_to_the_owner_once_it_has_read_its_bid() {
        partition.assigned(OTHER, token);
        assertThat(partition.state()).isEqualTo(State.LEADING);

        partition.readsBid(THIRD, token);
        assertThat(partition.state()).isEqualTo(State.LEADING);

        partition.readsBid(OTHER, token);
        assertThat(partition.state()).isEqualTo(State.DRAINING);
        assertThat(partition.events()).containsExactly(revoked(token, RevokeReason.HANDOVER));
    }

    @Test
    void a_bid_read_before_the_assignment_counts_too() {
        partition.readsBid(OTHER, token);
        partition.leadsOn(LEASE);
        partition.assigned(OTHER, token);

        assertThat(partition.state()).isEqualTo(State.DRAINING);
    }

    @Test
    void an_assignment_that_did_not_know_the_term_moves_nothing() {
        partition.assigned(OTHER, token - 1);
        partition.readsBid(OTHER, token);
        partition.assigned(OTHER, null);
        partition.readsBid(OTHER, token);

        assertThat(partition.state()).isEqualTo(State.LEADING);
    }

    /** Hands over to an owner that does not take leadership. */
    private void handsOverInVain(MemberId owner) {
        ownerAsks(owner);
        partition.drained(token);
        partition.forget();
        partition.readsResign(ME, token);
        partition.takesLeadership();
    }

    @Test
    void an_owner_that_does_not_take_leadership_is_handed_it_again_only_after_ten_leases() {
        long handedOver = partition.now();
        handsOverInVain(OTHER);

        ownerAsks(OTHER);
        assertThat(partition.state()).isEqualTo(State.LEADING);
        partition.leadsOn(handedOver + 10 * LEASE - partition.now() - 50);
        assertThat(partition.state()).isEqualTo(State.LEADING);
        partition.leadsOn(100);
        assertThat(partition.state()).isEqualTo(State.DRAINING);
    }

    @Test
    void another_owner_need_not_wait() {
        handsOverInVain(OTHER);

        ownerAsks(THIRD);
        assertThat(partition.state()).isEqualTo(State.DRAINING);
    }

    @Test
    void an_owner_that_took_leadership_once_need_not_wait() {
        ownerAsks(OTHER);
        partition.drained(token);
        long its = partition.readsClaim(OTHER);
        partition.readsResign(OTHER, its);
        partition.forget();
        partition.takesLeadership();

        ownerAsks(OTHER);
        assertThat(partition.state()).isEqualTo(State.DRAINING);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 2 * LEASE})
    void a_claimant_that_is_no_longer_eligible_resigns_as_soon_as_it_reads_its_claim_however_late(long late) {
        OnePartition paused = OnePartition.fresh();
        paused.waitsToBid();
        LogRecord.Claim claim = paused.claimed();
        paused.pauses();
        paused.passes(late);
        long term = paused.reads(claim);

        assertThat(paused.state()).isEqualTo(State.STANDBY);
        assertThat(paused.events()).isEmpty();
        assertThat(paused.appends()).satisfiesExactly(OnePartition.isResign(ME, term));
    }

    @Test
    void a_term_that_it_has_led_before_a_gap_is_not_resigned_when_its_claim_is_read_again() {
        OnePartition paused = OnePartition.fresh();
        paused.waitsToBid();
        LogRecord.Claim claim = paused.claimed();
        long term = paused.reads(claim);
        paused.losesLog();
        paused.opens(0, term + 1);
        paused.pauses();
        paused.forget();
        paused.readsAt(term, claim);

        assertThat(paused.term()).isEqualTo(term);
        assertThat(paused.appends()).isEmpty();
    }
}
