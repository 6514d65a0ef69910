package io.neli.internal.election;

import java.time.Duration;

import io.neli.LeaderEvent.FenceReason;
import org.junit.jupiter.api.Test;

import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;
import static io.neli.internal.election.OnePartition.fenced;
import static org.assertj.core.api.Assertions.assertThat;

/** What a fence leaves behind: work that goes on, and the rest of a member that is fenced again and again. */
class FenceHistoryTest {

    private static final long OTHERS_TURN = LEASE / 10 * 6;

    private final OnePartition partition = OnePartition.leading();

    /** Its lease runs out; the work ends at once. */
    private void isFenced() {
        long token = partition.term();
        partition.passes(LEASE);
        assertThat(partition.events()).containsExactly(fenced(token, FenceReason.LEASE_EXPIRED));
        partition.forget();
        partition.drained(token);
    }

    /** How long it waits until it bids again. */
    private long rests() {
        long fencedAt = partition.now();
        partition.waitsToBid();
        long rest = partition.now() - fencedAt;
        partition.claimsAndReads();
        partition.forget();
        return rest;
    }

    @Test
    void aFencedMemberDoesNotBidBeforeItsWorkHasEnded() {
        long token = partition.term();
        partition.passes(LEASE);
        partition.forget();
        partition.passes(20 * LEASE);
        assertThat(partition.appends()).isEmpty();

        partition.drained(token - 1);
        assertThat(partition.appends()).isEmpty();
        partition.drained(token);
        assertThat(partition.appends()).containsExactly(new LogRecord.Bid(ME, token));
    }

    @Test
    void aClaimReadWhileTheWorkOfAFencedTermGoesOnIsResigned() {
        OnePartition leader = OnePartition.fresh();
        leader.waitsToBid();
        LogRecord.Claim claim = leader.claimed();
        leader.reads(claim);
        leader.forget();
        long second = leader.reads(claim);

        assertThat(leader.state()).isEqualTo(State.STANDBY);
        assertThat(leader.appends()).containsExactly(new LogRecord.Resign(ME, second));
    }

    @Test
    void theWorkOfAFencedTermIsNoReasonToTellTheGroup() {
        partition.forget();
        partition.passes(LEASE);
        partition.drained(partition.term());

        assertThat(partition.rejoins()).isZero();
    }

    @Test
    void oneFenceIsNoReasonToRest() {
        isFenced();
        assertThat(rests()).isLessThan(LEASE / 2);
    }

    @Test
    void aMemberFencedTwiceInARowRestsALeaseAndThenTwiceAsLongEachTime() {
        isFenced();
        for (long leases : new long[] {1, 2, 4, 8, 8}) {
            rests();
            isFenced();
            assertThat(partition.full().fenceHistory().restUntil())
                    .isEqualTo(OnePartition.time(partition.now() + leases * LEASE));
        }
    }

    /** They may be dead, or rest as well. */
    @Test
    void whoRestsBidsOnceTheOthersHadTheirTurn() {
        isFenced();
        rests();
        isFenced();
        assertThat(rests()).isEqualTo(OTHERS_TURN);
        isFenced();
        assertThat(rests()).isEqualTo(OTHERS_TURN);
    }

    @Test
    void whoRestsLeavesASilentLeaderToOthersUntilItsLeaseIsLongOver() {
        isFenced();
        rests();
        isFenced();
        rests();
        isFenced();
        long its = partition.readsClaim(OTHER);
        long read = partition.now();
        partition.forget();
        partition.passes(LEASE + 10 + OTHERS_TURN - 1);
        assertThat(partition.appends()).isEmpty();

        partition.passes(1);
        assertThat(partition.appends()).containsExactly(new LogRecord.Bid(ME, its));
        assertThat(partition.now()).isEqualTo(read + LEASE + 10 + OTHERS_TURN);
    }

    @Test
    void whoRestsDoesNotAskALeaderToHandOver() {
        isFenced();
        rests();
        isFenced();
        long its = partition.readsClaim(OTHER);
        partition.assigned(ME, its);
        partition.forget();
        for (int passed = 0; passed < LEASE; passed += 100) {
            assertThat(partition.appends()).isEmpty();
            partition.passes(100);
            partition.readsHeartbeat(OTHER, its);
        }

        assertThat(partition.appends()).containsExactly(new LogRecord.Bid(ME, its));
    }

    @Test
    void theOnlyMemberThatStandsDoesNotRest() {
        partition.assignedAlone(ME, partition.term());
        isFenced();
        rests();
        isFenced();
        assertThat(rests()).isLessThan(LEASE / 2);
    }

    @Test
    void aTermThatEndedWellEndsTheRow() {
        isFenced();
        rests();
        partition.pauses();
        partition.drained(partition.term());
        partition.readsResign(ME, partition.term());
        partition.forget();
        partition.resumes();
        partition.waitsToBid();
        partition.claimsAndReads();
        partition.forget();
        isFenced();

        assertThat(rests()).isLessThan(LEASE / 2);
    }

    @Test
    void aTermThatLastedLongEndsTheRow() {
        isFenced();
        rests();
        partition.leadsOn(10 * LEASE);
        isFenced();

        assertThat(rests()).isLessThan(LEASE / 2);
    }

    @Test
    void whoRestsLeavesThePartitionToOthersThatBid() {
        isFenced();
        rests();
        isFenced();
        partition.readsBid(OTHER, partition.term());
        partition.readsClaim(OTHER);
        partition.passes(LEASE);

        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.leader()).isNull();
        assertThat(partition.appends()).noneMatch(LogRecord.Claim.class::isInstance);
    }

    /** When its last term became vacant is not known then: not before the log was opened anew. */
    @Test
    void whoRestsLeavesTheOthersTheirTurnAlsoWhenItsLastTermIsReadInALogOpenedAnew() {
        isFenced();
        rests();
        long token = partition.term();
        partition.losesLog();
        partition.drained(token);
        partition.opens(0, token + 1);
        partition.forget();
        partition.reads(new LogRecord.Heartbeat(ME, 0, Duration.ofMillis(LEASE), token, true, 0));

        assertThat(rests()).isEqualTo(OTHERS_TURN);
    }
}
