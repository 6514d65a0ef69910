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

class SuccessorTest {

    private static final long INVITATION = LEASE / 20;

    private final OnePartition partition = OnePartition.following(OTHER);
    private final long term = partition.term();

    private void resigns(MemberId successor) {
        partition.reads(Records.resign(OTHER, term, successor));
    }

    @Test
    void the_successor_claims_at_once_and_leads_when_it_reads_that_back() {
        resigns(ME);
        partition.reads(partition.claimed());

        assertThat(partition.isLeader()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"1000, 50", "200, 25", "60000, 250"})
    void all_others_wait_a_twentieth_of_the_lease_but_longer_after_a_short_one_and_not_so_long_after_a_long_one(
            long lease, long wait) {
        OnePartition others = OnePartition.fresh();
        others.reads(Records.resign(OTHER, others.readsClaim(OTHER, lease), THIRD));

        assertThat(others.waitsToBid()).isBetween(wait, wait + 6);
    }

    @Test
    void an_owner_that_was_invited_in_vain_has_no_head_start_any_more() {
        partition.assigned(THIRD, null);
        resigns(THIRD);

        assertThat(partition.waitsToBid()).isBetween(INVITATION, INVITATION + 6);
    }

    @Test
    void a_successor_claims_without_a_bid_while_all_others_wait() {
        partition.pauses();
        partition.forget();
        resigns(ME);
        partition.passes(INVITATION - 1);
        partition.resumes();

        assertThat(partition.claimed().member()).isEqualTo(ME);
    }

    @Test
    void a_successor_that_is_late_bids_like_all_others() {
        partition.pauses();
        partition.forget();
        resigns(ME);
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
