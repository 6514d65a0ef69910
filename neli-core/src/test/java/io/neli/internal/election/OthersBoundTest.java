package io.neli.internal.election;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.OTHER;
import static io.neli.internal.election.OnePartition.THIRD;
import static io.neli.internal.election.OnePartition.heartbeat;
import static io.neli.internal.election.OnePartition.time;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** What a member waits for before it leads: protocol, section 4. */
class OthersBoundTest {

    private static long othersBound(OnePartition partition) {
        MonotonicTime bound = requireNonNull(partition.full().log()).othersBound();
        return bound.equals(MonotonicTime.PAST) ? 0 : bound.nanos() / 1_000_000;
    }

    @Test
    void anEmptyLogCoversNothing() {
        assertThat(othersBound(OnePartition.fresh())).isZero();
    }

    @Test
    void aLogThatIsReadFromItsBeginningCoversWhatWasDeleted() {
        OnePartition partition = OnePartition.unopened().opens(0, 7);

        assertThat(othersBound(partition)).isEqualTo(partition.now() + 1_010);
    }

    @Test
    void whatWasNotReadIsCoveredForTheOwnLeaseFromTheInstantTheEndWasAnswered() {
        OnePartition partition = OnePartition.young();
        long opened = partition.now();
        partition.passes(700);

        assertThat(othersBound(partition)).isEqualTo(opened + 1_010);
    }

    @Test
    void aLongerLeaseThatIsSeenProlongsTheCover() {
        OnePartition partition = OnePartition.young();
        long opened = partition.now();
        partition.passes(700);
        partition.readsClaim(OTHER, 3_000);

        assertThat(othersBound(partition)).isEqualTo(opened + 3_030);
    }

    @Test
    void alsoAStaleRecordWithALongerLeaseProlongsTheCover() {
        OnePartition partition = OnePartition.young();
        long opened = partition.now();
        partition.readsClaim(THIRD);
        partition.reads(heartbeat(OTHER, 42, 3_000));

        assertThat(partition.ignored()).containsExactly(IgnoredRecord.STALE_HEARTBEAT);
        assertThat(othersBound(partition)).isEqualTo(opened + 3_030);
    }

    @Test
    void aShorterLeaseDoesNotShortenTheCover() {
        OnePartition partition = OnePartition.young();
        long opened = partition.now();
        partition.readsClaim(OTHER, 200);

        assertThat(othersBound(partition)).isEqualTo(opened + 1_010);
    }

    @Test
    void aLeaderThatHadReadUpToTheStartEndsTheCover() {
        OnePartition partition = OnePartition.young();
        partition.reads(answer(true, 100));

        assertThat(othersBound(partition)).isZero();
    }

    @Test
    void onceEndedTheCoverDoesNotComeBack() {
        OnePartition partition = OnePartition.young();
        partition.reads(answer(true, 100));
        partition.reads(heartbeat(OTHER, 42, 3_000));

        assertThat(othersBound(partition)).isZero();
    }

    @Test
    void aHolderThatIsStillWaitingEndsNothing() {
        OnePartition partition = OnePartition.young();
        partition.reads(answer(false, 100));

        assertThat(othersBound(partition)).isPositive();
    }

    @Test
    void aLeaderThatHadNotReadUpToTheStartEndsNothing() {
        OnePartition partition = OnePartition.young();
        partition.reads(answer(true, 99));

        assertThat(othersBound(partition)).isPositive();
    }

    @Test
    void aStaleAnswerEndsNothing() {
        OnePartition partition = OnePartition.young();
        partition.readsClaim(THIRD);
        partition.reads(answer(true, 100));

        assertThat(othersBound(partition)).isPositive();
    }

    @Test
    void theBoundOfASupersededHolderIsKept() {
        OnePartition partition = OnePartition.following(OTHER);
        long read = partition.now();
        partition.passes(100);
        partition.readsClaim(THIRD);

        assertThat(othersBound(partition)).isEqualTo(read + 1_010);
    }

    @Test
    void anAdoptedTermSupersedesLikeAClaim() {
        OnePartition partition = OnePartition.following(OTHER);
        long read = partition.now();
        partition.readsAt(9, heartbeat(THIRD, 5, LEASE));

        assertThat(othersBound(partition)).isEqualTo(read + 1_010);
    }

    @Test
    void theLargestBoundOfAllSupersededHoldersCounts() {
        OnePartition partition = OnePartition.fresh();
        partition.readsClaim(OTHER, 5_000);
        long read = partition.now();
        partition.readsClaim(THIRD);
        partition.readsClaim(OTHER);

        assertThat(othersBound(partition)).isEqualTo(read + 5_050);
    }

    @Test
    void aResignationEndsItsOwnTermOnly() {
        OnePartition partition = OnePartition.following(OTHER);
        long read = partition.now();
        long term = partition.readsClaim(THIRD);
        partition.readsResign(THIRD, term);
        partition.readsClaim(OTHER);

        assertThat(othersBound(partition)).isEqualTo(read + 1_010);
    }

    @Test
    void aHolderThatHasResignedLeavesNoBound() {
        OnePartition partition = OnePartition.following(OTHER);
        partition.readsResign(OTHER, partition.term());
        partition.readsClaim(THIRD);

        assertThat(othersBound(partition)).isZero();
    }

    @Test
    void theLeadersAnswerAlsoEndsTheBoundsOfThoseItSuperseded() {
        OnePartition partition = OnePartition.following(OTHER);
        long term = partition.readsClaim(THIRD);
        partition.reads(new LogRecord.Heartbeat(THIRD, 1, Duration.ofMillis(LEASE), term, true, 2));

        assertThat(othersBound(partition)).isZero();
    }

    @Test
    void aClaimWaitsForTheBoundAndLeadsTheMomentItHasPassed() {
        OnePartition partition = OnePartition.following(OTHER);
        long bound = partition.now() + 1_010;
        partition.passesTo(bound - 200);
        partition.waitsToBid();
        partition.reads(partition.claimed());
        assertThat(partition.state()).isEqualTo(State.CLAIMED);

        partition.passesTo(bound - 1);
        assertThat(partition.state()).isEqualTo(State.CLAIMED);
        assertThat(partition.full().ownTerm().lease().until()).isGreaterThan(time(bound));
        partition.passesTo(bound);
        assertThat(partition.isLeader()).isTrue();
    }

    private static LogRecord.Heartbeat answer(boolean leading, long upTo) {
        return new LogRecord.Heartbeat(OTHER, 1, Duration.ofMillis(LEASE), 42, leading, upTo);
    }
}
