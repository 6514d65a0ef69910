package io.neli.internal.election;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;
import static io.neli.internal.election.OnePartition.THIRD;
import static org.assertj.core.api.Assertions.assertThat;

/** When a member bids. */
class StandbyRulesTest {

    /** The bids of members with equal priority are spread over this time. */
    private static final long SPREAD = 5;

    private static final long HALF = LEASE / 2;

    private final OnePartition partition = OnePartition.following(OTHER);
    private final long term = partition.term();
    private final long read = partition.now();

    /** When it bids first. */
    private static long bidsAt(OnePartition partition) {
        partition.forget();
        partition.waitsToBid();
        return partition.now();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void without_an_owner_or_where_it_is_the_one_that_resigned_everybody_bids_within_a_few_milliseconds(boolean owned) {
        partition.assigned(owned ? OTHER : null, term);
        partition.readsResign(OTHER, term);

        assertThat(bidsAt(partition)).isBetween(read, read + SPREAD + 1);
    }

    private void followsFor(long millis, MemberId leader, long its) {
        for (long passed = 0; passed < millis; passed += 10) {
            partition.passes(10);
            partition.readsHeartbeat(leader, its);
        }
    }

    /** The owner is probably dead, and the group does not know that yet. */
    @Test
    void an_owner_that_lost_its_term_to_another_has_no_head_start() {
        partition.assigned(OTHER, partition.term());
        long its = partition.readsClaim(THIRD);
        followsFor(LEASE + 10, THIRD, its);
        partition.readsResign(THIRD, its);
        long vacant = partition.now();

        assertThat(bidsAt(partition)).isBetween(vacant, vacant + SPREAD + 1);
    }

    @Test
    void an_owner_that_has_claimed_again_has_its_head_start_back() {
        partition.assigned(OTHER, partition.term());
        partition.readsClaim(THIRD);
        long its = partition.readsClaim(OTHER);
        long third = partition.readsClaim(THIRD);
        assertThat(its).isLessThan(third);
        partition.assigned(OTHER, third);
        followsFor(LEASE + 10, THIRD, third);
        partition.readsResign(THIRD, third);
        long vacant = partition.now();

        assertThat(bidsAt(partition)).isBetween(vacant + HALF, vacant + HALF + 1);
    }

    @Test
    void another_owner_has_a_head_start_of_half_a_lease_from_the_vacancy() {
        partition.assigned(THIRD, term);
        partition.passes(100);
        partition.readsResign(OTHER, term);
        long resigned = partition.now();

        assertThat(bidsAt(partition)).isBetween(resigned + HALF, resigned + HALF + 1);
    }

    @Test
    void or_from_the_assignment_if_that_is_later() {
        partition.readsResign(OTHER, term);
        partition.assigned(THIRD, term);
        long assigned = partition.now();
        partition.forget();

        assertThat(bidsAt(partition)).isBetween(assigned + HALF, assigned + HALF + 1);
    }

    @Test
    void a_silent_leader_is_bid_against_after_half_its_own_lease_and_some_jitter() {
        OnePartition slow = OnePartition.fresh();
        long its = slow.readsClaim(OTHER, 4_000);
        slow.passes(200);
        slow.reads(OnePartition.heartbeat(OTHER, its, 4_000));
        long last = slow.now();

        assertThat(bidsAt(slow)).isBetween(last + 2_000, last + 2_000 + 400 + 1);
    }

    @Test
    void the_jitter_differs_from_term_to_term_and_is_the_same_for_the_same_term() {
        long again = OnePartition.following(OTHER).now();
        assertThat(bidsAt(OnePartition.following(OTHER)) - again).isEqualTo(bidsAt(partition) - read);

        OnePartition later = OnePartition.fresh();
        later.readsClaim(OTHER);
        later.reads(OnePartition.claim(OTHER, Records.TOKEN + 1));
        assertThat(bidsAt(later) - again).isNotEqualTo(bidsAt(OnePartition.following(OTHER)) - again);
    }

    /** In the second case, only until its own bound is over. */
    @ParameterizedTest
    @CsvSource({"200, 700", "900, 1010"})
    void a_member_that_still_has_to_wait_for_others_leaves_half_a_lease_to_those_that_need_not(long vacant, long bids) {
        OnePartition young = OnePartition.young();
        long opened = young.now();
        young.passes(vacant);
        long its = young.readsClaim(OTHER);
        young.readsResign(OTHER, its);

        assertThat(bidsAt(young)).isBetween(opened + bids, opened + bids + 1);
    }

    @Test
    void where_no_term_is_known_the_partition_is_vacant_when_the_unread_leases_are_over() {
        OnePartition young = OnePartition.young();
        long opened = young.now();

        assertThat(bidsAt(young)).isBetween(opened + 1_010, opened + 1_010 + SPREAD + 1);
    }

    @Test
    void while_its_own_resignation_is_on_its_way_it_does_not_bid() {
        OnePartition leader = OnePartition.leading();
        long its = leader.term();
        leader.pauses();
        leader.drained(its);
        leader.forget();
        leader.resumes();
        leader.passes(LEASE - 1);
        assertThat(leader.appends()).isEmpty();

        leader.passes(1);
        assertThat(leader.appends()).satisfiesExactly(OnePartition.isBid(ME, its));
    }

    @Test
    void the_owner_asks_a_leader_that_the_assignment_knew_again_every_lease() {
        partition.assigned(ME, term);
        assertThat(partition.appends()).satisfiesExactly(OnePartition.isBid(ME, term));
        long asked = partition.now();

        followsFor(LEASE - 100, OTHER, term);
        assertThat(partition.appends()).isEmpty();
        partition.passesTo(asked + LEASE);
        assertThat(partition.appends()).satisfiesExactly(OnePartition.isBid(ME, term));
    }

    @Test
    void the_owner_does_not_ask_a_leader_that_the_assignment_did_not_know_nor_one_that_is_owner_no_more() {
        partition.assigned(ME, null);
        assertThat(partition.appends()).isEmpty();
        partition.assigned(ME, term + 99);
        assertThat(partition.appends()).isEmpty();
        partition.assigned(THIRD, term);
        assertThat(partition.appends()).isEmpty();
    }
}
