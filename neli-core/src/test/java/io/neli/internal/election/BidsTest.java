package io.neli.internal.election;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;
import static io.neli.internal.election.OnePartition.THIRD;
import static org.assertj.core.api.Assertions.assertThat;

/** Who claims a partition, and when: the first that bids, or the successor that a leader names. */
class BidsTest {

    private static final long HALF = LEASE / 2;
    private static final long INVITATION = LEASE / 20;

    private final OnePartition partition = OnePartition.following(OTHER);
    private final long term = partition.term();
    private final long read = partition.now();

    private LogRecord ownBid() {
        return Records.bid(ME, term); // as read back
    }

    private void resigned() {
        partition.assigned(ME, null);
        partition.readsResign(OTHER, term);
        assertThat(partition.appends()).satisfiesExactly(OnePartition.isBid(ME, term));
    }

    private boolean hasClaimed() {
        return partition.appends().stream().anyMatch(LogRecord.Claim.class::isInstance);
    }

    @Test
    void the_first_bid_for_a_vacant_partition_claims_at_once() {
        resigned();
        partition.reads(ownBid());

        assertThat(partition.appends()).singleElement().isInstanceOfSatisfying(LogRecord.Claim.class, claim -> {
            assertThat(claim.member()).isEqualTo(ME);
            assertThat(claim.grant().lease().toMillis()).isEqualTo(LEASE);
            assertThat(claim.grant().config()).isEqualTo(OnePartition.GROUP_CONFIG.of(0));
        });
        assertThat(partition.state()).isEqualTo(State.STANDBY);
    }

    @Test
    void the_first_bid_against_a_silent_leader_claims_after_three_quarters_of_its_lease() {
        partition.passes(610);
        partition.reads(ownBid());
        partition.passesTo(read + 749);
        assertThat(hasClaimed()).isFalse();

        partition.passes(1);
        assertThat(hasClaimed()).isTrue();
    }

    @Test
    void the_first_bid_lapses_half_a_lease_after_it_became_first_and_the_next_is_not_written_again_and_claims() {
        resigned();
        partition.passes(100);
        partition.readsBid(THIRD, term);
        partition.passes(100);
        partition.reads(ownBid());
        partition.passes(HALF - 101);
        assertThat(partition.appends()).isEmpty();

        partition.passes(1);
        assertThat(hasClaimed()).isTrue();
    }

    @Test
    void the_next_bid_lapses_half_a_lease_after_it_became_first_not_after_it_was_read() {
        partition.pauses();
        partition.readsBid(THIRD, term);
        partition.readsBid(OTHER, term);
        partition.passes(HALF);
        assertThat(partition.log().bids.queue()).containsExactly(OTHER);

        partition.passes(HALF - 1);
        assertThat(partition.log().bids.queue()).containsExactly(OTHER);
        partition.passes(1);
        assertThat(partition.log().bids.queue()).isEmpty();
    }

    @Test
    void an_effective_record_voids_all_bids_before_it_and_they_are_written_again_when_the_leader_is_silent_again() {
        partition.passes(610);
        partition.forget();
        partition.reads(ownBid());
        partition.readsHeartbeat(OTHER, term);
        assertThat(partition.log().bids.queue()).isEmpty();
        partition.passes(HALF - 1);
        assertThat(partition.appends()).isEmpty();

        partition.passes(LEASE / 10 + 1);
        assertThat(partition.appends()).satisfiesExactly(OnePartition.isBid(ME, term));
    }

    @Test
    void a_stale_record_voids_no_bid_a_second_bid_of_a_member_adds_none_and_a_new_term_ends_all() {
        partition.readsBid(THIRD, term);
        partition.readsBid(THIRD, term);
        partition.readsHeartbeat(THIRD, term);
        assertThat(partition.log().bids.queue()).containsExactly(THIRD);

        partition.readsClaim(OTHER);
        assertThat(partition.log().bids.queue()).isEmpty();
        assertThat(partition.log().bids.bidders()).isEmpty();
    }

    @Test
    void a_bid_that_is_not_read_back_within_half_a_lease_is_written_again() {
        resigned();
        partition.passes(HALF - 1);
        assertThat(partition.appends()).isEmpty();
        partition.passes(1);
        assertThat(partition.appends()).satisfiesExactly(OnePartition.isBid(ME, term));
    }

    @Test
    void an_own_bid_that_comes_too_late_for_its_term_is_forgotten_and_another_written() {
        partition.passes(610);
        assertThat(partition.appends()).satisfiesExactly(OnePartition.isBid(ME, term));
        long next = partition.readsClaim(THIRD);
        partition.readsResign(THIRD, next);
        partition.assigned(ME, null);
        assertThat(partition.appends()).isEmpty();

        partition.reads(ownBid());
        partition.passes(HALF);
        assertThat(partition.appends()).satisfiesExactly(OnePartition.isBid(ME, next));
    }

    @Test
    void nothing_else_is_sent_until_a_claim_is_read_back_or_given_up_after_the_lease_and_tried_again() {
        resigned();
        partition.reads(ownBid());
        assertThat(hasClaimed()).isTrue();
        partition.reads(ownBid());
        partition.passes(LEASE - 1);
        assertThat(partition.appends()).isEmpty();
        partition.passes(1);
        assertThat(partition.appends()).satisfiesExactly(OnePartition.isBid(ME, term));
    }

    @Test
    void bids_beyond_the_first_three_do_not_keep_the_partition_from_being_led() {
        for (int ghost = 0; ghost < 100; ghost++) {
            partition.reads(Records.bid(new MemberId("ghost-" + ghost, new UUID(7, ghost)), term));
        }
        boolean claimed = false;
        while (partition.now() < read + 2 * LEASE && !claimed) {
            partition.passes(10);
            for (LogRecord sent : partition.appends()) {
                claimed |= sent instanceof LogRecord.Claim;
                partition.reads(sent);
            }
        }
        assertThat(claimed).isTrue();
    }

    private void resignsFor(MemberId successor) {
        partition.reads(Records.resign(OTHER, term, successor));
    }

    @Test
    void the_successor_claims_at_once_and_leads_when_it_reads_that_back() {
        resignsFor(ME);
        partition.reads(partition.claimed());

        assertThat(partition.isLeader()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"1000, 50", "200, 25", "60000, 250"})
    void all_but_the_successor_wait_a_twentieth_of_the_lease_longer_if_that_is_short_and_less_if_it_is_long(
            long lease, long wait) {
        OnePartition others = OnePartition.fresh();
        others.reads(Records.resign(OTHER, others.readsClaim(OTHER, lease), THIRD));

        assertThat(others.waitsToBid()).isBetween(wait, wait + 6);
    }

    @Test
    void an_owner_that_was_invited_in_vain_has_no_head_start_any_more() {
        partition.assigned(THIRD, null);
        resignsFor(THIRD);

        assertThat(partition.waitsToBid()).isBetween(INVITATION, INVITATION + 6);
    }

    @Test
    void a_successor_claims_without_a_bid_while_all_others_wait() {
        partition.pauses();
        partition.forget();
        resignsFor(ME);
        partition.passes(INVITATION - 1);
        partition.resumes();

        assertThat(partition.claimed().member()).isEqualTo(ME);
    }

    @Test
    void a_successor_that_is_late_bids_like_all_others() {
        partition.pauses();
        partition.forget();
        resignsFor(ME);
        partition.passes(INVITATION);
        partition.resumes();
        partition.passes(6);

        assertThat(partition.appends()).satisfiesExactly(OnePartition.isBid(ME, term));
    }

    @Test
    void a_successor_for_which_other_leases_may_last_leaves_it_to_members_that_can_lead_sooner() {
        OnePartition young = OnePartition.young();
        long adopted = young.readsClaim(OTHER);
        young.reads(Records.resign(OTHER, adopted, ME));

        assertThat(young.appends()).isEmpty();
    }

    @Test
    void a_leader_names_the_deputy_if_it_is_the_owner_and_else_the_owner() {
        assertThat(successorOf(ME, OTHER)).isEqualTo(OTHER.hash());
        assertThat(successorOf(THIRD, OTHER)).isEqualTo(THIRD.hash());
        assertThat(successorOf(null, null)).isNull();
    }

    private static @Nullable MemberHash successorOf(@Nullable MemberId owner, @Nullable MemberId deputy) {
        OnePartition leader = OnePartition.leading();
        long term = leader.term();
        leader.assigned(owner, deputy, term);
        leader.pauses();
        leader.forget();
        leader.drained(term);
        List<LogRecord> sent = leader.appends();
        assertThat(sent).satisfiesExactly(OnePartition.isResign(ME, term));
        return ((LogRecord.Resign) sent.get(0)).successor();
    }

    @Test
    void no_member_bids_while_three_live_bids_queue() {
        partition.passes(LEASE * 3 / 10);
        for (int i = 10; i < 13; i++) {
            partition.readsBid(new MemberId("m" + i, new UUID(0, i)), term);
        }
        partition.passes(LEASE * 4 / 10);
        assertThat(partition.appends()).isEmpty();

        partition.passes(LEASE / 2); // the first one has lapsed
        assertThat(partition.appends()).satisfiesExactly(OnePartition.isBid(ME, term));
    }
}
