package io.neli.internal.election;

import org.junit.jupiter.api.Test;

import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;
import static org.assertj.core.api.Assertions.assertThat;

/** When a member asks the group to rebalance: protocol, section 7. */
class RejoinTest {

    @Test
    void aMemberThatBeginsOrCeasesToStandAsks() {
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
    void theEndOfACooldownIsNoticed() {
        OnePartition partition = OnePartition.fresh();
        partition.becomes(new Eligibility(true, true, false, OnePartition.time(partition.now() + 300), false, false));
        partition.forget();
        partition.passes(299);
        assertThat(partition.rejoins()).isZero();
        partition.passes(1);
        assertThat(partition.rejoins()).isOne();
    }

    @Test
    void aMemberThatClosesNeedNotAsk() {
        OnePartition partition = OnePartition.fresh();
        partition.forget();
        partition.becomes(new Eligibility(true, true, false, MonotonicTime.PAST, true, false));

        assertThat(partition.rejoins()).isZero();
    }

    @Test
    void itAsksUntilAnAssignmentHasCountedOnIt() {
        OnePartition partition = OnePartition.fresh();
        partition.forget();
        partition.assigned(null, null, false);
        assertThat(partition.rejoins()).isOne();
        partition.assigned(null, null, true);
        assertThat(partition.rejoins()).isZero();
        partition.pauses();
        partition.forget();
        partition.assigned(null, null, true);
        assertThat(partition.rejoins()).isOne();
    }

    @Test
    void anAssignmentThatItWasNoPartOfSaysNothing() {
        OnePartition partition = OnePartition.fresh();
        partition.forget();
        partition.assigned(null, null, null);

        assertThat(partition.rejoins()).isZero();
    }

    @Test
    void aLeaderThatIsNotTheOwnerAsksWhenItBeginsToLead() {
        OnePartition partition = OnePartition.fresh();
        partition.assigned(OTHER, null);
        partition.forget();
        partition.claimsAndReads();

        assertThat(partition.rejoins()).isOne();
    }

    @Test
    void theOwnerNeedNotAskNorOneThatWaitsForItsFirstAssignment() {
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
    void aLeaderAsksAgainAfterEachAssignmentThatDidNotCarryItsTerm() {
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
    void aLeaderThatWasSupersededOrLeavesDoesNotAskForItsTerm() {
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

    @Test
    void aFollowerDoesNotAskForTheLeader() {
        OnePartition partition = OnePartition.following(OTHER);
        partition.assigned(ME, null);

        assertThat(partition.rejoins()).isZero();
    }
}
