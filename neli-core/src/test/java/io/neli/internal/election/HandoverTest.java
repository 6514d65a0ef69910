package io.neli.internal.election;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import org.junit.jupiter.api.Test;

import static io.neli.internal.election.OnePartition.HANDOVER_TIMEOUT;
import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;
import static io.neli.internal.election.OnePartition.THIRD;
import static io.neli.internal.election.OnePartition.fenced;
import static io.neli.internal.election.OnePartition.revoked;
import static org.assertj.core.api.Assertions.assertThat;

/** LeaderRules ends on purpose: sections 5, 7 and 8. */
class HandoverTest {

    private final OnePartition partition = OnePartition.leading();
    private final long token = partition.term();

    private void ownerAsks(MemberId owner) {
        partition.assigned(owner, partition.term());
        partition.readsBid(owner, partition.term());
    }

    @Test
    void aLeaderThatIsPausedDrainsAndResignsWhenItsWorkHasEnded() {
        partition.pauses();
        assertThat(partition.state()).isEqualTo(State.DRAINING);
        assertThat(partition.isLeader()).isFalse();
        assertThat(partition.events()).containsExactly(revoked(token, RevokeReason.PAUSED));
        assertThat(partition.appends()).isEmpty();

        partition.drained(token);
        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.appends()).containsExactly(new LogRecord.Resign(ME, token));
        assertThat(partition.events()).isEmpty();
    }

    @Test
    void theReasonToDrainIsTold() {
        assertThat(reason(new Eligibility(true, true, false, MonotonicTime.PAST, true, false)))
                .isEqualTo(RevokeReason.CLOSING);
        assertThat(reason(new Eligibility(true, true, false, MonotonicTime.NEVER, false, false)))
                .isEqualTo(RevokeReason.RESIGNED);
        assertThat(reason(new Eligibility(true, true, false, MonotonicTime.PAST, false, true)))
                .isEqualTo(RevokeReason.CONFLICT);
        assertThat(reason(new Eligibility(true, true, true, MonotonicTime.PAST, true, true)))
                .isEqualTo(RevokeReason.CLOSING);
    }

    private static RevokeReason reason(Eligibility eligibility) {
        OnePartition leader = OnePartition.leading();
        leader.becomes(eligibility);
        return ((LeaderRevoked) leader.events().get(0)).reason();
    }

    @Test
    void heartbeatsGoOnWhileWorkEndsAndKeepTheLease() {
        partition.pauses();
        partition.forget();
        partition.leadsOn(3 * LEASE);

        assertThat(partition.state()).isEqualTo(State.DRAINING);
        assertThat(partition.events()).isEmpty();
    }

    @Test
    void aDrainingLeaderThatStandsAgainDoesNotLeadAgainInThatTerm() {
        partition.pauses();
        partition.resumes();
        assertThat(partition.state()).isEqualTo(State.DRAINING);

        partition.drained(token);
        partition.forget();
        partition.readsResign(ME, token);
        assertThat(partition.takesLeadership()).isGreaterThan(token);
    }

    @Test
    void theEndOfAnotherTermsWorkIsNotHeeded() {
        partition.drained(token);
        partition.pauses();
        partition.drained(token - 1);
        partition.drained(token + 1);

        assertThat(partition.state()).isEqualTo(State.DRAINING);
    }

    @Test
    void workThatGoesOnTooLongIsFencedAndItsLeaseRunsOutUnrenewed() {
        partition.pauses();
        partition.forget();
        partition.leadsOn(HANDOVER_TIMEOUT);

        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.events()).containsExactly(fenced(token, FenceReason.HANDOVER_TIMED_OUT));
        partition.passes(LEASE);
        partition.drained(token);
        assertThat(partition.appends()).isEmpty();
    }

    @Test
    void aDrainingLeaderThatReadsNothingBackIsFenced() {
        partition.pauses();
        partition.forget();
        partition.passes(LEASE);

        assertThat(partition.events()).containsExactly(fenced(token, FenceReason.LEASE_EXPIRED));
        assertThat(partition.state()).isEqualTo(State.STANDBY);
    }

    @Test
    void aDrainingLeaderThatReadsALaterClaimIsFencedAndDoesNotResign() {
        partition.pauses();
        partition.forget();
        partition.readsClaim(OTHER);
        partition.drained(token);

        assertThat(partition.events()).containsExactly(fenced(token, FenceReason.SUPERSEDED));
        assertThat(partition.appends()).isEmpty();
    }

    @Test
    void theLeaderHandsOverToTheOwnerOnceItHasReadItsBid() {
        partition.assigned(OTHER, token);
        assertThat(partition.state()).isEqualTo(State.LEADING);

        partition.readsBid(THIRD, token);
        assertThat(partition.state()).isEqualTo(State.LEADING);

        partition.readsBid(OTHER, token);
        assertThat(partition.state()).isEqualTo(State.DRAINING);
        assertThat(partition.events()).containsExactly(revoked(token, RevokeReason.HANDOVER));
    }

    @Test
    void aBidReadBeforeTheAssignmentCountsToo() {
        partition.readsBid(OTHER, token);
        partition.leadsOn(LEASE);
        partition.assigned(OTHER, token);

        assertThat(partition.state()).isEqualTo(State.DRAINING);
    }

    @Test
    void anAssignmentThatDidNotKnowTheTermMovesNothing() {
        partition.assigned(OTHER, token - 1);
        partition.readsBid(OTHER, token);
        partition.assigned(OTHER, null);
        partition.readsBid(OTHER, token);

        assertThat(partition.state()).isEqualTo(State.LEADING);
    }

    @Test
    void anOwnerThatDoesNotTakeTheLeadIsHandedItAgainOnlyAfterTenLeases() {
        ownerAsks(OTHER);
        long handedOver = partition.now();
        partition.drained(token);
        partition.forget();
        partition.readsResign(ME, token);
        partition.takesLeadership();

        ownerAsks(OTHER);
        assertThat(partition.state()).isEqualTo(State.LEADING);
        partition.leadsOn(handedOver + 10 * LEASE - partition.now() - 50);
        assertThat(partition.state()).isEqualTo(State.LEADING);
        partition.leadsOn(100);
        assertThat(partition.state()).isEqualTo(State.DRAINING);
    }

    @Test
    void anotherOwnerNeedNotWait() {
        ownerAsks(OTHER);
        partition.drained(token);
        partition.forget();
        partition.readsResign(ME, token);
        partition.takesLeadership();

        ownerAsks(THIRD);
        assertThat(partition.state()).isEqualTo(State.DRAINING);
    }

    @Test
    void anOwnerThatTookTheLeadOnceNeedNotWait() {
        ownerAsks(OTHER);
        partition.drained(token);
        long its = partition.readsClaim(OTHER);
        partition.readsResign(OTHER, its);
        partition.forget();
        partition.takesLeadership();

        ownerAsks(OTHER);
        assertThat(partition.state()).isEqualTo(State.DRAINING);
    }

    @Test
    void aClaimantThatNoLongerStandsResignsAsSoonAsItReadsItsClaim() {
        OnePartition paused = OnePartition.fresh();
        paused.waitsToBid();
        LogRecord.Claim claim = paused.claimed();
        paused.pauses();
        long term = paused.reads(claim);

        assertThat(paused.state()).isEqualTo(State.STANDBY);
        assertThat(paused.events()).isEmpty();
        assertThat(paused.appends()).containsExactly(new LogRecord.Resign(ME, term));
    }

    @Test
    void alsoAClaimThatArrivesAfterItsLeaseIsResignedByOneThatDoesNotStand() {
        OnePartition paused = OnePartition.fresh();
        paused.waitsToBid();
        LogRecord.Claim claim = paused.claimed();
        paused.pauses();
        paused.passes(2 * LEASE);
        long term = paused.reads(claim);

        assertThat(paused.state()).isEqualTo(State.STANDBY);
        assertThat(paused.appends()).containsExactly(new LogRecord.Resign(ME, term));
    }

    @Test
    void aTermThatItHasLedBeforeAGapIsNotResignedWhenItsClaimIsReadAgain() {
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

    @Test
    void aClaimedMemberThatIsPausedResigns() {
        OnePartition claimed = OnePartition.following(OTHER);
        claimed.passes(800);
        claimed.waitsToBid();
        long term = claimed.reads(claimed.claimed());
        assertThat(claimed.state()).isEqualTo(State.CLAIMED);
        claimed.forget();
        claimed.pauses();

        assertThat(claimed.appends()).containsExactly(new LogRecord.Resign(ME, term));
        assertThat(claimed.state()).isEqualTo(State.STANDBY);
    }
}
