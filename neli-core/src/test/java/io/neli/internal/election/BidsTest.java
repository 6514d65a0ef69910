package io.neli.internal.election;

import org.junit.jupiter.api.Test;

import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;
import static io.neli.internal.election.OnePartition.THIRD;
import static org.assertj.core.api.Assertions.assertThat;

/** From the first bid to the claim: protocol, section 6, rules 2 to 4. */
class BidsTest {

    private static final long HALF = LEASE / 2;

    private final OnePartition partition = OnePartition.following(OTHER);
    private final long term = partition.term();
    private final long read = partition.now();

    private LogRecord ownBid() {
        return new LogRecord.Bid(ME, term);
    }

    private void resigned() {
        partition.assigned(ME, null);
        partition.readsResign(OTHER, term);
        assertThat(partition.appends()).containsExactly(ownBid());
    }

    private boolean hasClaimed() {
        return partition.appends().stream().anyMatch(LogRecord.Claim.class::isInstance);
    }

    @Test
    void theFirstBidForAVacantPartitionClaimsAtOnce() {
        resigned();
        partition.reads(ownBid());

        assertThat(partition.appends()).singleElement().isInstanceOfSatisfying(LogRecord.Claim.class, claim -> {
            assertThat(claim.member()).isEqualTo(ME);
            assertThat(claim.lease().toMillis()).isEqualTo(LEASE);
            assertThat(claim.groupConfig()).isEqualTo(OnePartition.GROUP_CONFIG);
        });
        assertThat(partition.state()).isEqualTo(State.STANDBY);
    }

    @Test
    void theFirstBidAgainstASilentLeaderClaimsAfterThreeQuartersOfItsLease() {
        partition.passes(610);
        partition.reads(ownBid());
        partition.passesTo(read + 749);
        assertThat(hasClaimed()).isFalse();

        partition.passes(1);
        assertThat(hasClaimed()).isTrue();
    }

    @Test
    void aBidThatIsNotFirstDoesNotClaim() {
        resigned();
        partition.readsBid(THIRD, term);
        partition.reads(ownBid());
        partition.passes(HALF - 1);

        assertThat(hasClaimed()).isFalse();
    }

    @Test
    void theFirstBidLapsesHalfALeaseAfterItBecameFirstAndTheNextOneClaims() {
        resigned();
        partition.passes(100);
        partition.readsBid(THIRD, term);
        partition.passes(100);
        partition.reads(ownBid());
        partition.passes(HALF - 101);
        assertThat(hasClaimed()).isFalse();

        partition.passes(1);
        assertThat(hasClaimed()).isTrue();
    }

    @Test
    void theNextBidLapsesHalfALeaseAfterItBecameFirstNotAfterItWasRead() {
        partition.becomes(new Eligibility(true, true, true, MonotonicTime.PAST, false, false));
        partition.readsBid(THIRD, term);
        partition.readsBid(OTHER, term);
        partition.passes(HALF);
        assertThat(partition.full().bids().queue()).containsExactly(OTHER);

        partition.passes(HALF - 1);
        assertThat(partition.full().bids().queue()).containsExactly(OTHER);
        partition.passes(1);
        assertThat(partition.full().bids().queue()).isEmpty();
    }

    @Test
    void anEffectiveRecordVoidsAllBidsBeforeIt() {
        partition.passes(610);
        partition.appends();
        partition.reads(ownBid());
        partition.readsHeartbeat(OTHER, term);
        partition.passes(HALF - 1);

        assertThat(partition.appends()).isEmpty();
        assertThat(partition.full().bids().queue()).isEmpty();
    }

    @Test
    void aStaleRecordVoidsNoBid() {
        partition.readsBid(THIRD, term);
        partition.readsHeartbeat(THIRD, term);

        assertThat(partition.full().bids().queue()).containsExactly(THIRD);
    }

    @Test
    void aBidThatWasVoidedIsWrittenAgainWhenTheLeaderIsSilentAgain() {
        partition.passes(610);
        partition.forget();
        partition.reads(ownBid());
        partition.readsHeartbeat(OTHER, term);
        partition.passes(610);

        assertThat(partition.appends()).containsExactly(ownBid());
    }

    @Test
    void aBidThatIsNotReadBackWithinHalfALeaseIsWrittenAgain() {
        resigned();
        partition.passes(HALF - 1);
        assertThat(partition.appends()).isEmpty();
        partition.passes(1);
        assertThat(partition.appends()).containsExactly(ownBid());
    }

    @Test
    void aBidThatIsReadBackIsNotWrittenAgainWhileItWaits() {
        resigned();
        partition.readsBid(THIRD, term);
        partition.reads(ownBid());
        partition.passes(HALF - 1);

        assertThat(partition.appends()).isEmpty();
    }

    @Test
    void aNewTermEndsAllBids() {
        partition.readsBid(THIRD, term);
        partition.readsClaim(OTHER);

        assertThat(partition.full().bids().queue()).isEmpty();
        assertThat(partition.full().bids().seen()).isEmpty();
    }

    @Test
    void anOwnBidThatComesTooLateForItsTermIsForgottenAndAnotherWritten() {
        partition.passes(610);
        assertThat(partition.appends()).containsExactly(ownBid());
        long next = partition.readsClaim(THIRD);
        partition.readsResign(THIRD, next);
        partition.assigned(ME, null);
        assertThat(partition.appends()).isEmpty();

        partition.reads(ownBid());
        partition.passes(HALF);
        assertThat(partition.appends()).containsExactly(new LogRecord.Bid(ME, next));
    }

    @Test
    void aSecondBidOfTheSameMemberChangesNothing() {
        partition.readsBid(THIRD, term);
        partition.readsBid(THIRD, term);

        assertThat(partition.full().bids().queue()).containsExactly(THIRD);
    }

    @Test
    void aClaimThatIsNotReadBackWithinTheLeaseIsGivenUpAndTriedAgain() {
        resigned();
        partition.reads(ownBid());
        assertThat(hasClaimed()).isTrue();
        partition.passes(LEASE - 1);
        assertThat(partition.appends()).isEmpty();
        partition.passes(1);
        assertThat(partition.appends()).containsExactly(ownBid());
    }

    @Test
    void whileAClaimIsUnderWayNothingElseIsSent() {
        resigned();
        partition.reads(ownBid());
        assertThat(hasClaimed()).isTrue();
        partition.reads(ownBid());
        partition.passes(HALF);

        assertThat(partition.appends()).isEmpty();
    }
}
