package io.neli.internal.election;

import java.util.List;

import io.neli.LeaderEvent.FenceReason;
import org.junit.jupiter.api.Test;

import static io.neli.internal.election.OnePartition.INTERVAL;
import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;
import static io.neli.internal.election.OnePartition.acquired;
import static io.neli.internal.election.OnePartition.fenced;
import static io.neli.internal.election.OnePartition.heartbeat;
import static io.neli.internal.election.OnePartition.time;
import static org.assertj.core.api.Assertions.assertThat;

/** From the own claim read back to the end of the lease: protocol, section 5. */
class LeaderRulesTest {

    @Test
    void theOwnClaimReadBackLeadsAtOnceWhereNobodyElseCan() {
        OnePartition partition = OnePartition.fresh();
        long token = partition.claimsAndReads();

        assertThat(partition.events()).containsExactly(acquired(token));
        assertThat(partition.isLeader()).isTrue();
        assertThat(partition.appends()).singleElement().isInstanceOfSatisfying(LogRecord.Heartbeat.class, sent -> {
            assertThat(sent.term()).isEqualTo(token);
            assertThat(sent.leading()).isTrue();
            assertThat(sent.upTo()).isEqualTo(token + 1);
        });
    }

    @Test
    void theLeaseCountsFromTheSendingOfTheClaim() {
        OnePartition partition = OnePartition.fresh();
        partition.waitsToBid();
        long sent = partition.now();
        LogRecord claim = partition.claimed();
        partition.passes(600);
        partition.reads(claim);
        assertThat(partition.isLeader()).isTrue();
        assertThat(partition.full().lease().until()).isEqualTo(time(sent + LEASE));
    }

    @Test
    void theLeaseCountsFromTheSendingOfTheLatestHeartbeatReadBack() {
        OnePartition partition = OnePartition.leading();
        partition.passesTo(partition.deadline());
        long sent = partition.now();
        LogRecord beat = partition.appends().get(0);
        partition.passes(500);
        partition.reads(beat);

        assertThat(partition.full().lease().until()).isEqualTo(time(sent + LEASE));
    }

    @Test
    void aLeaderIsNoneFromTheMomentItsLeaseEndsWhetherOrNotAnyoneLooks() {
        OnePartition partition = OnePartition.leading();
        PartitionState before = partition.full();
        Moment last = new Moment(before.lease().until().plusNanos(-1), 0);
        Moment over = new Moment(before.lease().until(), 0);

        assertThat(before.lease().holdsAt(last)).isTrue();
        assertThat(before.lease().holdsAt(over)).isFalse();
    }

    @Test
    void aLeaderThatReadsNothingBackIsFenced() {
        OnePartition partition = OnePartition.leading();
        long token = partition.term();
        partition.passes(LEASE);

        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.events()).containsExactly(fenced(token, FenceReason.LEASE_EXPIRED));
    }

    @Test
    void aFencedLeaderIsSilentUntilItClaimsAgainAndThenLeadsWithANewToken() {
        OnePartition partition = OnePartition.leading();
        long old = partition.term();
        partition.passes(LEASE);
        partition.forget();
        partition.readsBid(OTHER, old);
        assertThat(partition.appends()).noneMatch(LogRecord.Heartbeat.class::isInstance);

        OnePartition alone = OnePartition.leading();
        alone.passes(LEASE);
        alone.drained(old);
        alone.forget();
        assertThat(alone.takesLeadership()).isGreaterThan(old);
    }

    @Test
    void anOwnHeartbeatReadTooLateRenewsTheLeaseOfNoFencedTerm() {
        OnePartition partition = OnePartition.leading();
        partition.passes(900);
        List<LogRecord> late = partition.appends();
        partition.passes(100);
        late.forEach(partition::reads);

        assertThat(partition.isLeader()).isFalse();
        assertThat(partition.events()).hasSize(1);
    }

    @Test
    void aTermThatWasOverForWhoeverAskedDoesNotComeBackWithAHeartbeatReadAfterAPause() {
        OnePartition partition = OnePartition.leading();
        long token = partition.term();
        partition.passes(900);
        LogRecord sent = partition.appends().get(0);
        partition.standsStill(100);
        assertThat(partition.isLeader()).isFalse();
        partition.reads(sent);

        assertThat(partition.isLeader()).isFalse();
        assertThat(partition.events()).containsExactly(fenced(token, FenceReason.LEASE_EXPIRED));
    }

    @Test
    void aHeartbeatInItsNameThatItNeverSentRenewsNothing() {
        OnePartition partition = OnePartition.leading();
        MonotonicTime until = partition.full().lease().until();
        partition.passes(500);
        partition.reads(new LogRecord.Heartbeat(
                ME, 4711, partition.settings.leaseDuration(), partition.term(), true, partition.term()));

        assertThat(partition.full().lease().until()).isEqualTo(until);
    }

    @Test
    void aHeartbeatOfAnotherOrOfAnEarlierTermRenewsNothing() {
        OnePartition partition = OnePartition.leading();
        partition.passes(200);
        LogRecord ofTheFirstTerm = partition.appends().get(0);
        partition.passes(800);
        partition.drained(partition.term());
        partition.forget();
        partition.takesLeadership();
        MonotonicTime until = partition.full().lease().until();
        partition.passes(100);
        partition.reads(ofTheFirstTerm);
        partition.reads(heartbeat(OTHER, partition.term(), LEASE));

        assertThat(partition.full().lease().until()).isEqualTo(until);
    }

    @Test
    void aClaimInItsNameThatItNeverSentGivesNoLease() {
        OnePartition partition = OnePartition.fresh();
        partition.reads(
                new LogRecord.Claim(ME, 4711, partition.settings.leaseDuration(), partition.settings.groupConfig()));

        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.events()).isEmpty();
    }

    @Test
    void aCopyOfItsOwnClaimEndsTheTermAndIsGivenUpAsTheWorkOfTheFirstStillRuns() {
        OnePartition partition = OnePartition.fresh();
        partition.waitsToBid();
        LogRecord claim = partition.claimed();
        long first = partition.reads(claim);
        partition.forget();
        long second = partition.reads(claim);

        assertThat(partition.events()).containsExactly(fenced(first, FenceReason.SUPERSEDED));
        assertThat(partition.appends()).containsExactly(new LogRecord.Resign(ME, second));
    }

    @Test
    void aWallClockThatMovesForwardEndsTheLease() {
        OnePartition partition = OnePartition.leading();
        partition.shiftsWall(LEASE);
        assertThat(partition.isLeader()).isFalse();

        partition.passes(1);
        assertThat(partition.events()).containsExactly(fenced(partition.term(), FenceReason.LEASE_EXPIRED));
    }

    @Test
    void aLeaseThatTheWallClockEndedIsVacantAtOnce() {
        OnePartition partition = OnePartition.leading();
        partition.assigned(ME, partition.term());
        partition.forget();
        partition.shiftsWall(LEASE);
        partition.passes(1);
        partition.drained(partition.term());

        assertThat(partition.appends()).containsExactly(new LogRecord.Bid(ME, partition.term()));
    }

    @Test
    void aWallClockThatMovesBackwardDoesNotProlongTheLease() {
        OnePartition partition = OnePartition.leading();
        partition.shiftsWall(-3_600_000);
        partition.passes(LEASE - 1);
        assertThat(partition.isLeader()).isTrue();
        partition.passes(1);
        assertThat(partition.isLeader()).isFalse();
    }

    @Test
    void aWallClockThatMovesBackwardDoesNotEndTheLeaseOfALeaderThatIsReadBack() {
        OnePartition partition = OnePartition.leading();
        partition.shiftsWall(-3_600_000);
        partition.leadsOn(5 * LEASE);

        assertThat(partition.isLeader()).isTrue();
        assertThat(partition.events()).isEmpty();
    }

    @Test
    void aLaterClaimFencesTheLeader() {
        OnePartition partition = OnePartition.leading();
        long token = partition.term();
        partition.readsClaim(OTHER);

        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.events()).containsExactly(fenced(token, FenceReason.SUPERSEDED));
        assertThat(partition.appends()).isEmpty();
    }

    @Test
    void aLaterClaimEndsAClaimWithoutAnyEvent() {
        OnePartition partition = OnePartition.young();
        partition.passes(1_100);
        partition.waitsToBid();
        partition.reads(partition.claimed());
        partition.forget();
        partition.readsClaim(OTHER);

        assertThat(partition.state()).isEqualTo(State.STANDBY);
    }

    @Test
    void aClaimedTermThatIsNotRenewedEndsWithoutAnyEvent() {
        OnePartition partition = OnePartition.following(OTHER);
        partition.passes(700);
        partition.waitsToBid();
        partition.passesTo(partition.now() + 100);
        LogRecord.Claim claim = partition.claimed();
        partition.readsClaim(OTHER, 20_000);
        partition.reads(claim);
        assertThat(partition.state()).isEqualTo(State.CLAIMED);
        partition.passes(LEASE);

        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.events()).isEmpty();
    }

    @Test
    void aClaimThatIsReadAfterItsLeaseGivesNoLead() {
        OnePartition partition = OnePartition.fresh();
        partition.waitsToBid();
        LogRecord.Claim claim = partition.claimed();
        partition.passes(LEASE);
        partition.forget();
        partition.reads(claim);

        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.events()).isEmpty();
    }

    @Test
    void itsOwnResignationInTheLogEndsItsTermWhoeverWroteIt() {
        OnePartition partition = OnePartition.leading();
        long token = partition.term();
        partition.readsResign(ME, token);

        assertThat(partition.events()).containsExactly(fenced(token, FenceReason.SUPERSEDED));
    }

    @Test
    void heartbeatsLeaveOnAGridSoThatThoseOfAllPartitionsLeaveTogether() {
        OnePartition partition = OnePartition.leading();
        for (int beat = 0; beat < 4; beat++) {
            assertThat(partition.deadline() % INTERVAL).isZero();
            partition.passesTo(partition.deadline() - 1);
            assertThat(partition.appends()).isEmpty();
            partition.passes(1);
            assertThat(partition.appends()).hasSize(1);
        }
    }

    @Test
    void aHolderAnswersAnyForeignBidAtOnceAndOnceInAPoll() {
        OnePartition partition = OnePartition.leading();
        partition.readsTogether(
                new LogRecord.Bid(OTHER, partition.term()), new LogRecord.Bid(OTHER, partition.term() - 1));

        assertThat(partition.appends()).hasSize(1).first().isInstanceOf(LogRecord.Heartbeat.class);
    }

    @Test
    void aMemberThatOnlyWaitsSaysSoInItsHeartbeats() {
        OnePartition partition = OnePartition.following(OTHER);
        partition.passes(700);
        partition.waitsToBid();
        partition.passesTo(partition.now() + 100);
        LogRecord.Claim claim = partition.claimed();
        partition.reads(claim);

        assertThat(partition.state()).isEqualTo(State.CLAIMED);
        assertThat(partition.appends())
                .singleElement()
                .isInstanceOfSatisfying(LogRecord.Heartbeat.class, sent -> assertThat(sent.leading())
                        .isFalse());
    }

    @Test
    void whoLeadsIsKnownOnlyWhileThatLeaseLasts() {
        OnePartition partition = OnePartition.leading();
        assertThat(partition.leader()).isEqualTo(ME);
        partition.passes(LEASE);
        assertThat(partition.leader()).isNull();
    }
}
