package io.neli.internal.election;

import java.time.Duration;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.RevokeReason;
import org.junit.jupiter.api.Test;

import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;
import static io.neli.internal.election.OnePartition.fenced;
import static org.assertj.core.api.Assertions.assertThat;

/** The effects of a fence: work that still runs, and the rest period of a member that is fenced again and again. */
class FenceHistoryTest {

    private static final long OTHERS_TURN = LEASE / 10 * 6;

    private final OnePartition partition = OnePartition.leading();

    /** Its lease runs out, and its work ends immediately. */
    private void isFenced() {
        long token = partition.term();
        partition.passes(LEASE);
        assertThat(partition.events()).containsExactly(fenced(token, FenceReason.LEASE_EXPIRED));
        partition.forget();
        partition.fencedWorkEnds(token);
    }

    private void isFencedTwice() {
        isFenced();
        rests();
        isFenced();
    }

    /** How long the member waits before it bids again. */
    private long rests() {
        long rest = partition.waitsToBid();
        partition.claimsAndReads();
        partition.forget();
        return rest;
    }

    /** The gate reports the end of the handover's work. The term is fenced before the report is processed. */
    @Test
    void a_report_from_before_the_fence_does_not_end_the_wait_for_its_listeners() {
        long token = partition.term();
        partition.pauses();
        partition.freezes(LEASE);
        partition.drained(token, false);
        assertThat(partition.events())
                .containsExactly(
                        OnePartition.revoked(token, RevokeReason.PAUSED), fenced(token, FenceReason.LEASE_EXPIRED));
        partition.resumes();
        partition.forget();
        partition.passes(20 * LEASE);
        partition.drained(token - 1, true);
        assertThat(partition.appends()).isEmpty();

        partition.drained(token, true);
        assertThat(partition.appends())
                .satisfiesExactly(OnePartition.isResign(ME, token), OnePartition.isBid(ME, token));
    }

    @Test
    void the_work_of_a_fenced_term_is_no_reason_to_notify_the_group() {
        partition.forget();
        partition.passes(LEASE);
        partition.drained(partition.term());

        assertThat(partition.rejoins()).isZero();
    }

    /** It bids once the others had their turn: they may be dead, or rest as well. */
    @Test
    void a_member_fenced_twice_in_a_row_rests_a_lease_and_then_twice_as_long_each_time() {
        isFenced();
        assertThat(rests()).isLessThan(LEASE / 2);
        for (long leases : new long[] {1, 2, 4, 8, 8}) {
            isFenced();
            assertThat(partition.full().fenceHistory.restUntil())
                    .isEqualTo(OnePartition.time(partition.now() + leases * LEASE));
            assertThat(rests()).isEqualTo(OTHERS_TURN);
        }
    }

    @Test
    void a_resting_member_leaves_a_silent_leader_to_others_until_its_lease_is_long_over() {
        isFencedTwice();
        rests();
        isFenced();
        long its = partition.readsClaim(OTHER);
        long read = partition.now();
        partition.forget();
        partition.passes(LEASE + 10 + OTHERS_TURN - 1);
        assertThat(partition.appends()).isEmpty();

        partition.passes(1);
        assertThat(partition.appends()).satisfiesExactly(OnePartition.isBid(ME, its));
        assertThat(partition.now()).isEqualTo(read + LEASE + 10 + OTHERS_TURN);
    }

    @Test
    void a_resting_member_does_not_ask_a_leader_to_hand_over() {
        isFencedTwice();
        long its = partition.readsClaim(OTHER);
        partition.assigned(ME, its);
        partition.forget();
        for (int passed = 0; passed < LEASE; passed += 100) {
            assertThat(partition.appends()).isEmpty();
            partition.passes(100);
            partition.readsHeartbeat(OTHER, its);
        }

        assertThat(partition.appends()).satisfiesExactly(OnePartition.isBid(ME, its));
    }

    @Test
    void the_only_member_that_is_eligible_does_not_rest() {
        partition.assignedAlone(ME, partition.term());
        isFencedTwice();
        assertThat(rests()).isLessThan(LEASE / 2);
    }

    @Test
    void a_term_that_ended_well_ends_the_row() {
        isFenced();
        rests();
        partition.pauses();
        partition.drained(partition.term());
        partition.readsResign(ME, partition.term());
        partition.forget();
        partition.resumes();
        rests();
        isFenced();

        assertThat(rests()).isLessThan(LEASE / 2);
    }

    @Test
    void a_term_that_lasted_long_ends_the_row() {
        isFenced();
        rests();
        partition.leadsOn(10 * LEASE);
        isFenced();

        assertThat(rests()).isLessThan(LEASE / 2);
    }

    /** It is unknown when its last term became vacant, but that was not before the log was opened again. */
    @Test
    void a_resting_member_leaves_the_others_their_turn_also_when_its_last_term_is_read_in_a_log_opened_again() {
        isFenced();
        rests();
        long token = partition.term();
        partition.losesLog();
        partition.drained(token);
        partition.opens(0, token + 1);
        partition.forget();
        partition.reads(Records.heartbeat(ME, 0, Duration.ofMillis(LEASE), token, true, 0));

        assertThat(rests()).isEqualTo(OTHERS_TURN);
    }
}
