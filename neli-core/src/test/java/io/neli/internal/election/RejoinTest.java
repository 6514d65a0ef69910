package io.neli.internal.election;

import org.junit.jupiter.api.Test;

import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;
import static org.assertj.core.api.Assertions.assertThat;

/** When a member asks the group to rebalance. */
class RejoinTest {

    @Test
    void a_member_whose_eligibility_changes_asks() {
        OnePartition partition = OnePartition.fresh();
        assertThat(partition.rejoins()).isOne();
        partition.pauses();
        assertThat(partition.rejoins()).isOne();
        partition.resumes();
        assertThat(partition.rejoins()).isOne();
        partition.passes(1);
        assertThat(partition.rejoins()).isZero();
    }

    @Test
    void a_member_that_was_no_part_of_an_assignment_need_not_ask_nor_one_that_closes() {
        OnePartition partition = OnePartition.fresh();
        partition.forget();
        partition.assigned(null, null, null);
        assertThat(partition.rejoins()).isZero();

        partition.becomes(new Eligibility(true, true, Restraint.NONE, true, Conflict.NONE));
        assertThat(partition.rejoins()).isZero();
    }

    @Test
    void a_leader_that_is_not_the_owner_asks_when_it_begins_to_lead() {
        OnePartition partition = OnePartition.fresh();
        partition.assigned(OTHER, null);
        partition.forget();
        partition.claimsAndReads();

        assertThat(partition.rejoins()).isOne();
    }

    @Test
    void neither_a_follower_nor_the_owner_asks_nor_one_that_waits_for_its_first_assignment() {
        OnePartition follower = OnePartition.following(OTHER);
        follower.assigned(ME, null);
        assertThat(follower.rejoins()).isZero();

        OnePartition owner = OnePartition.fresh();
        owner.assigned(ME, null);
        owner.rejoins();
        owner.claimsAndReads();
        assertThat(owner.rejoins()).isZero();

        OnePartition unassigned = OnePartition.fresh();
        unassigned.rejoins();
        unassigned.claimsAndReads();
        assertThat(unassigned.rejoins()).isZero();
    }

    @Test
    void a_leader_asks_again_after_each_assignment_that_did_not_carry_its_term() {
        OnePartition partition = OnePartition.leading();
        partition.assigned(OTHER, null);
        assertThat(partition.rejoins()).isOne();
        partition.assigned(OTHER, partition.term() - 1);
        assertThat(partition.rejoins()).isOne();
        partition.assigned(OTHER, partition.term());
        assertThat(partition.rejoins()).isZero();
        partition.assigned(ME, null);
        assertThat(partition.rejoins()).isZero();
    }

    @Test
    void a_leader_that_was_superseded_or_leaves_does_not_ask_for_its_term() {
        OnePartition superseded = OnePartition.freshNonExclusive();
        superseded.takesLeadership();
        long its = superseded.readsClaim(OTHER);
        superseded.forget();
        superseded.assigned(OTHER, its);
        assertThat(superseded.isLeader()).isTrue();
        assertThat(superseded.rejoins()).isZero();

        OnePartition leaving = OnePartition.freshNonExclusive();
        leaving.takesLeadership();
        leaving.pauses();
        leaving.forget();
        leaving.assigned(OTHER, null, false);
        assertThat(leaving.isLeader()).isTrue();
        assertThat(leaving.rejoins()).isZero();
    }
}
