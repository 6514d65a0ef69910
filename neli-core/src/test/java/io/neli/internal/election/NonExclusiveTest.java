package io.neli.internal.election;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.Mode;
import org.junit.jupiter.api.Test;

import static io.neli.internal.election.OnePartition.HANDOVER_TIMEOUT;
import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;
import static io.neli.internal.election.OnePartition.THIRD;
import static io.neli.internal.election.OnePartition.acquired;
import static io.neli.internal.election.OnePartition.fenced;
import static io.neli.internal.election.OnePartition.revoked;
import static org.assertj.core.api.Assertions.assertThat;

/** Non-exclusive mode: work that may be duplicated but must not stop. */
class NonExclusiveTest {

    private final OnePartition partition = OnePartition.freshNonExclusive();
    private final long token = partition.takesLeadership();
    private final OnePartition follower = OnePartition.freshNonExclusive();
    private final long its = follower.readsClaim(OTHER);

    /** Another member claims, and says that it leads. */
    private long isFollowedBy(MemberId other) {
        long next = partition.readsClaim(other);
        partition.readsThatLeads(other, next);
        return next;
    }

    @Test
    void a_claimant_leads_as_soon_as_its_claim_is_read_back_though_the_earlier_lease_may_last() {
        follower.passes(LEASE / 4 * 3 - 1);
        follower.forget();
        follower.readsBid(ME, its);
        follower.passes(1);
        long mine = follower.reads(follower.claimed());

        assertThat(follower.events()).containsExactly(acquired(mine));
        assertThat(follower.isLeader()).isTrue();
    }

    @Test
    void a_superseded_leader_goes_on_until_its_lease_ends_and_is_revoked_then() {
        partition.passes(LEASE / 2);
        isFollowedBy(OTHER);
        assertThat(partition.isLeader()).isTrue();
        assertThat(partition.full().leadingAt(partition.moment())).isEqualTo(partition.tokenOf(token));
        partition.forget();

        partition.passes(LEASE / 2 - 1);
        assertThat(partition.isLeader()).isTrue();
        assertThat(partition.events()).isEmpty();
        partition.passes(1);
        assertThat(partition.isLeader()).isFalse();
        assertThat(partition.events()).containsExactly(revoked(token, RevokeReason.SUPERSEDED));
    }

    @Test
    void a_leader_of_whose_three_logs_another_member_has_claimed_one_is_still_the_leader() {
        ThreeLogs logs = ThreeLogs.leading(Mode.NON_EXCLUSIVE);
        logs.readsClaim(0);
        assertThat(logs.leads()).isTrue();
        assertThat(logs.leader()).isEqualTo(ME);
    }

    @Test
    void a_superseded_leader_is_silent_and_its_old_heartbeats_do_not_prolong_its_lease() {
        partition.passes(LEASE / 2);
        LogRecord heartbeat = partition.appends().get(0);
        isFollowedBy(OTHER);
        partition.reads(heartbeat);
        partition.readsBid(THIRD, partition.term());
        partition.passes(LEASE / 2);

        assertThat(partition.appends()).isEmpty();
        assertThat(partition.isLeader()).isFalse();
    }

    @Test
    void the_work_of_a_superseded_term_may_end_and_then_the_member_is_eligible_again() {
        long next = isFollowedBy(OTHER);
        partition.passes(LEASE);
        partition.forget();
        assertThat(partition.state()).isEqualTo(State.DRAINING);
        partition.passes(2 * LEASE);
        assertThat(partition.appends()).isEmpty();

        partition.drained(token);
        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.appends()).satisfiesExactly(OnePartition.isBid(ME, next));
        assertThat(partition.events()).isEmpty();
    }

    @Test
    void the_work_of_a_superseded_term_is_fenced_at_the_handover_timeout() {
        isFollowedBy(OTHER);
        partition.passes(LEASE);
        partition.forget();
        partition.passes(HANDOVER_TIMEOUT);

        assertThat(partition.events()).containsExactly(fenced(token, FenceReason.HANDOVER_TIMED_OUT));
        assertThat(partition.state()).isEqualTo(State.STANDBY);
    }

    @Test
    void a_gap_fences_also_a_superseded_leader() {
        isFollowedBy(OTHER);
        partition.losesLog();

        assertThat(partition.events()).containsExactly(fenced(token, FenceReason.LOG_GAP));
    }

    @Test
    void one_that_leaves_resigns_first_and_keeps_leading_until_the_next_says_that_it_leads() {
        partition.forget();
        partition.pauses();
        assertThat(partition.appends()).satisfiesExactly(OnePartition.isResign(ME, token));
        assertThat(partition.isLeader()).isTrue();
        partition.readsResign(ME, token);
        assertThat(partition.log().awaitsWork(partition.tokenOf(token), partition.moment()))
                .isFalse();
        assertThat(partition.leader()).isEqualTo(ME);
        long next = partition.readsClaim(OTHER);
        assertThat(partition.isLeader()).isTrue();
        assertThat(partition.events()).isEmpty();

        partition.readsThatLeads(OTHER, next);
        assertThat(partition.isLeader()).isFalse();
        assertThat(partition.events()).containsExactly(revoked(token, RevokeReason.PAUSED));
        assertThat(partition.leader()).isEqualTo(OTHER);
        partition.drained(token);
        assertThat(partition.appends()).isEmpty();
        assertThat(partition.state()).isEqualTo(State.STANDBY);
    }

    @Test
    void one_that_leaves_while_nobody_follows_leads_to_the_end_of_its_lease_and_sends_nothing_even_if_somebody_bids() {
        partition.pauses();
        partition.forget();
        partition.readsBid(OTHER, token);
        partition.passes(LEASE / 2);
        partition.readsResign(ME, token);
        partition.passes(LEASE / 2 - 1);
        assertThat(partition.isLeader()).isTrue();

        partition.passes(1);
        assertThat(partition.events()).containsExactly(revoked(token, RevokeReason.PAUSED));
        assertThat(partition.appends()).isEmpty();
    }

    @Test
    void one_that_leaves_and_is_the_only_one_that_is_eligible_does_not_wait() {
        partition.assignedAlone(ME, token);
        partition.pauses();

        assertThat(partition.events()).containsExactly(revoked(token, RevokeReason.PAUSED));
    }

    @Test
    void one_that_leaves_does_not_stay_though_it_is_eligible_again() {
        partition.pauses();
        partition.resumes();
        isFollowedBy(OTHER);

        assertThat(partition.events()).containsExactly(revoked(token, RevokeReason.RESIGNED));
    }

    @Test
    void the_owner_that_the_assignment_counted_on_claims_as_soon_as_it_has_read_its_own_bid() {
        follower.forget();
        follower.assigned(ME, its - 1);
        assertThat(follower.appends()).isEmpty();
        follower.assigned(ME, its);
        assertThat(follower.appends()).satisfiesExactly(OnePartition.isBid(ME, its));
        follower.readsBid(ME, its);

        assertThat(follower.claimed().member()).isEqualTo(ME);
        follower.passes(LEASE / 4);
        assertThat(follower.appends()).as("once is enough").isEmpty();
    }

    /** It has read its bid but not its claim, so it must read another bid first. */
    @Test
    void an_owner_whose_claim_is_lost_bids_again_before_it_claims_again() {
        follower.assigned(ME, its);
        follower.readsBid(ME, its);
        follower.forget();
        for (int passed = 0; passed < 2 * LEASE; passed += 100) {
            follower.passes(100);
            follower.readsThatLeads(OTHER, its);
        }

        assertThat(follower.appends()).isNotEmpty().allMatch(LogRecord.Bid.class::isInstance);
    }

    @Test
    void a_bid_of_the_owner_does_not_make_the_leader_hand_over() {
        partition.assigned(OTHER, token);
        partition.readsBid(OTHER, token);

        assertThat(partition.state()).isEqualTo(State.LEADING);
    }
}
