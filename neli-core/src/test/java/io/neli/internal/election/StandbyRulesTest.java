package io.neli.internal.election;

import org.junit.jupiter.api.Test;

import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;
import static io.neli.internal.election.OnePartition.THIRD;
import static org.assertj.core.api.Assertions.assertThat;

/** When a member bids: protocol, section 6, rule 1. */
class StandbyRulesTest {

    /** Bids of members with equal rights are spread over this time. */
    private static final long SPREAD = 5;

    private static final long HALF = LEASE / 2;

    private final OnePartition partition = OnePartition.following(OTHER);
    private final long term = partition.term();
    private final long read = partition.now();
    private final long vacant = read + 1_010;

    /** The instant of its first bid. */
    private static long bidsAt(OnePartition partition) {
        partition.forget();
        for (int turns = 0; turns < 20; turns++) {
            partition.passesTo(partition.deadline() + 1);
            if (!partition.appends().isEmpty()) {
                return partition.now();
            }
        }
        throw new AssertionError("never bids");
    }

    @Test
    void aVacantPartitionIsBidForWithinAFewMilliseconds() {
        OnePartition fresh = OnePartition.fresh();
        long opened = fresh.now();

        assertThat(bidsAt(fresh)).isBetween(opened, opened + SPREAD + 1);
    }

    @Test
    void theOwnerBidsForAVacantPartitionAtOnce() {
        partition.assigned(ME, null);
        partition.readsResign(OTHER, term);

        assertThat(partition.appends()).containsExactly(new LogRecord.Bid(ME, term));
    }

    @Test
    void withoutAnOwnerEverybodyBidsWithinAFewMilliseconds() {
        partition.readsResign(OTHER, term);

        assertThat(bidsAt(partition)).isBetween(read, read + SPREAD + 1);
    }

    @Test
    void whereTheOwnerIsTheOneThatResignedEverybodyBidsToo() {
        partition.assigned(OTHER, term);
        partition.readsResign(OTHER, term);

        assertThat(bidsAt(partition)).isBetween(read, read + SPREAD + 1);
    }

    private void followsFor(long millis, MemberId leader, long its) {
        for (long passed = 0; passed < millis; passed += 10) {
            partition.passes(10);
            partition.readsHeartbeat(leader, its);
        }
    }

    /** It is probably dead, and the group does not know it yet. */
    @Test
    void anOwnerThatLostItsTermToAnotherHasNoHeadStart() {
        partition.assigned(OTHER, partition.term());
        long its = partition.readsClaim(THIRD);
        followsFor(LEASE + 10, THIRD, its);
        partition.readsResign(THIRD, its);
        long vacant = partition.now();

        assertThat(bidsAt(partition)).isBetween(vacant, vacant + SPREAD + 1);
    }

    @Test
    void anOwnerThatHasClaimedAgainHasItsHeadStartBack() {
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
    void anotherOwnerHasAHeadStartOfHalfALeaseFromTheVacancy() {
        partition.assigned(THIRD, term);
        partition.passes(100);
        partition.readsResign(OTHER, term);
        long resigned = partition.now();

        assertThat(bidsAt(partition)).isBetween(resigned + HALF, resigned + HALF + 1);
    }

    @Test
    void orFromTheAssignmentIfThatIsLater() {
        partition.readsResign(OTHER, term);
        partition.assigned(THIRD, term);
        long assigned = partition.now();
        partition.forget();

        assertThat(bidsAt(partition)).isBetween(assigned + HALF, assigned + HALF + 1);
    }

    @Test
    void aSilentLeaderIsBidAgainstAfterHalfALeaseAndSomeJitter() {
        partition.passes(200);
        partition.readsHeartbeat(OTHER, term);
        long last = partition.now();

        assertThat(bidsAt(partition)).isBetween(last + HALF, last + HALF + LEASE / 10 + 1);
    }

    @Test
    void silenceIsMeasuredInTheLeaseOfTheHolder() {
        OnePartition slow = OnePartition.fresh();
        slow.readsClaim(OTHER, 4_000);
        long last = slow.now();

        assertThat(bidsAt(slow)).isBetween(last + 2_000, last + 2_000 + 400 + 1);
    }

    @Test
    void theJitterDiffersFromTermToTermAndIsTheSameForTheSameTerm() {
        long again = OnePartition.following(OTHER).now();
        assertThat(bidsAt(OnePartition.following(OTHER)) - again).isEqualTo(bidsAt(partition) - read);

        OnePartition later = OnePartition.fresh();
        later.readsClaim(OTHER);
        later.readsClaim(OTHER);
        assertThat(bidsAt(later) - again).isNotEqualTo(bidsAt(OnePartition.following(OTHER)) - again);
    }

    @Test
    void aMemberThatStillHasToWaitForOthersLeavesHalfALeaseToThoseThatNeedNot() {
        OnePartition young = OnePartition.young();
        long opened = young.now();
        young.passes(200);
        long its = young.readsClaim(OTHER);
        young.readsResign(OTHER, its);
        long resigned = young.now();

        assertThat(bidsAt(young))
                .isBetween(resigned + HALF, resigned + HALF + 1)
                .isLessThan(opened + 1_010);
    }

    @Test
    void butNoLongerThanItsOwnBoundLasts() {
        OnePartition young = OnePartition.young();
        long opened = young.now();
        young.passes(900);
        long its = young.readsClaim(OTHER);
        young.readsResign(OTHER, its);

        assertThat(bidsAt(young)).isBetween(opened + 1_010, opened + 1_011);
    }

    @Test
    void whereNoTermIsKnownThePartitionIsVacantWhenTheStartBoundHasPassed() {
        OnePartition young = OnePartition.young();
        long opened = young.now();

        assertThat(bidsAt(young)).isBetween(opened + 1_010, opened + 1_010 + SPREAD + 1);
    }

    @Test
    void aMemberWhoseOwnLeaseRanOutBidsAgain() {
        OnePartition leader = OnePartition.leading();
        long its = leader.term();
        leader.passes(LEASE);
        leader.drained(its);

        assertThat(leader.appends()).contains(new LogRecord.Bid(ME, its));
    }

    @Test
    void whileItsOwnResignationIsOnItsWayItDoesNotBid() {
        OnePartition leader = OnePartition.leading();
        long its = leader.term();
        leader.pauses();
        leader.drained(its);
        leader.forget();
        leader.resumes();
        leader.passes(LEASE - 1);
        assertThat(leader.appends()).isEmpty();

        leader.passes(1);
        assertThat(leader.appends()).containsExactly(new LogRecord.Bid(ME, its));
    }

    @Test
    void aMemberThatDoesNotStandDoesNotBid() {
        partition.pauses();
        partition.passesTo(vacant + LEASE);
        assertThat(partition.appends()).isEmpty();

        partition.resumes();
        assertThat(partition.appends()).hasSize(1);
    }

    @Test
    void aMemberThatIsCoolingDownStandsWhenThatIsOver() {
        MonotonicTime until = OnePartition.time(vacant + 3 * LEASE);
        partition.becomes(new Eligibility(true, true, false, until, false, false));
        partition.passesTo(vacant + 2 * LEASE);
        assertThat(partition.appends()).isEmpty();
        assertThat(partition.deadline()).isEqualTo(vacant + 3 * LEASE);

        partition.passesTo(vacant + 3 * LEASE);
        assertThat(partition.appends()).hasSize(1);
    }

    @Test
    void theOwnerAsksALeaderThatTheAssignmentKnewAgainEveryLease() {
        partition.assigned(ME, term);
        assertThat(partition.appends()).containsExactly(new LogRecord.Bid(ME, term));
        long asked = partition.now();

        while (partition.now() < asked + LEASE - 100) {
            partition.passes(100);
            partition.readsHeartbeat(OTHER, term);
        }
        assertThat(partition.appends()).isEmpty();
        partition.passesTo(asked + LEASE);
        assertThat(partition.appends()).containsExactly(new LogRecord.Bid(ME, term));
    }

    @Test
    void theOwnerDoesNotAskALeaderThatTheAssignmentDidNotKnow() {
        partition.assigned(ME, null);
        assertThat(partition.appends()).isEmpty();
        partition.assigned(ME, term + 1);
        assertThat(partition.appends()).isEmpty();
    }

    @Test
    void aNewAssignmentEndsTheAsking() {
        partition.assigned(ME, term);
        partition.forget();
        partition.assigned(THIRD, term);
        for (int beats = 0; beats < 20; beats++) {
            partition.passes(100);
            partition.readsHeartbeat(OTHER, term);
        }

        assertThat(partition.appends()).isEmpty();
    }
}
