package io.neli.internal.election;

import java.time.Duration;

import io.neli.LeaderEvent.FenceReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.neli.internal.election.OnePartition.INTERVAL;
import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;
import static io.neli.internal.election.OnePartition.acquired;
import static io.neli.internal.election.OnePartition.fenced;
import static io.neli.internal.election.OnePartition.heartbeat;
import static io.neli.internal.election.OnePartition.time;
import static org.assertj.core.api.Assertions.assertThat;

/** From the member's own claim, once read back, to the end of the lease. */
class LeaderRulesTest {

    private final OnePartition partition = OnePartition.leading();
    private final long term = partition.term();

    @Test
    void the_own_claim_read_back_leads_at_once_where_nobody_else_can_with_a_lease_from_its_sending() {
        OnePartition fresh = OnePartition.fresh();
        fresh.waitsToBid();
        long sentAt = fresh.now();
        LogRecord claim = fresh.claimed();
        fresh.passes(600);
        long token = fresh.reads(claim);

        assertThat(fresh.events()).containsExactly(acquired(token));
        assertThat(fresh.isLeader()).isTrue();
        assertThat(fresh.log().lease().until()).isEqualTo(time(sentAt + LEASE));
        assertThat(fresh.appends()).singleElement().isInstanceOfSatisfying(LogRecord.Heartbeat.class, sent -> {
            assertThat(sent.term()).isEqualTo(token);
            assertThat(sent.leading()).isTrue();
            assertThat(sent.upTo()).isEqualTo(token + 1);
        });
    }

    @Test
    void the_lease_and_the_measured_round_trip_count_from_the_sending_of_the_latest_heartbeat_read_back() {
        partition.passesTo(partition.deadline());
        long sent = partition.now();
        LogRecord beat = partition.appends().get(0);
        partition.passes(500);
        partition.reads(beat);

        assertThat(partition.log().lease().until()).isEqualTo(time(sent + LEASE));
        assertThat(partition.roundTrips()).containsExactly(500L);
    }

    @Test
    void a_term_that_was_over_for_a_caller_does_not_come_back_with_a_heartbeat_read_after_a_pause() {
        partition.passes(900);
        LogRecord sent = partition.appends().get(0);
        partition.freezes(100);
        assertThat(partition.isLeader()).isFalse();
        partition.reads(sent);

        assertThat(partition.isLeader()).isFalse();
        assertThat(partition.events()).containsExactly(fenced(term, FenceReason.LEASE_EXPIRED));
    }

    @Test
    void a_heartbeat_of_an_earlier_term_renews_nothing() {
        partition.passes(200);
        LogRecord ofTheFirstTerm = partition.appends().get(0);
        partition.passes(800);
        partition.drained(partition.term());
        partition.forget();
        partition.takesLeadership();
        MonotonicTime until = partition.log().lease().until();
        partition.passes(100);
        partition.reads(ofTheFirstTerm);

        assertThat(partition.log().lease().until()).isEqualTo(until);
    }

    @Test
    void a_heartbeat_of_another_in_its_own_term_shows_that_the_other_reads_another_log() {
        LogRecord.Heartbeat once = heartbeat(OTHER, term, LEASE);
        partition.reads(once);
        partition.reads(once);
        assertThat(partition.isLeader()).isTrue();
        partition.reads(Records.heartbeat(OTHER, 1_000, Duration.ofMillis(LEASE), term, true, 0));

        assertThat(partition.events()).containsExactly(fenced(term, FenceReason.LOG_GAP));
        assertThat(partition.log().isOpen()).isFalse();
    }

    @Test
    void a_copy_of_its_own_claim_ends_the_term_and_is_given_up_as_the_work_of_the_first_still_runs() {
        OnePartition claimant = OnePartition.fresh();
        claimant.waitsToBid();
        LogRecord claim = claimant.claimed();
        long first = claimant.reads(claim);
        claimant.forget();
        long second = claimant.reads(claim);

        assertThat(claimant.events()).containsExactly(fenced(first, FenceReason.SUPERSEDED));
        assertThat(claimant.appends()).satisfiesExactly(OnePartition.isResign(ME, second));
    }

    @Test
    void a_wall_clock_that_moves_forward_ends_the_lease_and_the_partition_is_vacant_at_once() {
        partition.assigned(ME, term);
        partition.forget();
        partition.shiftsWall(LEASE);
        assertThat(partition.isLeader()).isFalse();

        partition.passes(INTERVAL);
        assertThat(partition.events()).containsExactly(fenced(term, FenceReason.LEASE_EXPIRED));
        partition.fencedWorkEnds(term);
        assertThat(partition.appends()).satisfiesExactly(OnePartition.isBid(ME, term));
    }

    @Test
    void a_wall_clock_that_moves_backward_does_not_prolong_the_lease() {
        partition.shiftsWall(-3_600_000);
        partition.passes(LEASE - 1);
        assertThat(partition.isLeader()).isTrue();
        assertThat(partition.leader()).isEqualTo(ME);
        partition.passes(1);
        assertThat(partition.isLeader()).isFalse();
        assertThat(partition.leader()).isNull();
    }

    @Test
    void a_wall_clock_that_moves_backward_does_not_end_the_lease_of_a_leader_that_is_read_back() {
        partition.shiftsWall(-3_600_000);
        partition.leadsOn(5 * LEASE);

        assertThat(partition.isLeader()).isTrue();
        assertThat(partition.events()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_later_claim_fences_one_that_leads_or_drains_and_its_term_is_not_resigned(boolean drains) {
        if (drains) {
            partition.pauses();
            partition.forget();
        }
        partition.readsClaim(OTHER);
        partition.drained(term);

        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.events()).containsExactly(fenced(term, FenceReason.SUPERSEDED));
        assertThat(partition.appends()).isEmpty();
    }

    @Test
    void a_claimant_says_in_its_heartbeats_that_it_only_waits_and_a_later_claim_ends_its_own_without_any_event() {
        OnePartition claimant = OnePartition.following(OTHER);
        claimant.reads(claimant.claimsWhileOthersMayLead());
        assertThat(claimant.state()).isEqualTo(State.CLAIMED);
        assertThat(claimant.appends())
                .singleElement()
                .isInstanceOfSatisfying(LogRecord.Heartbeat.class, sent -> assertThat(sent.leading())
                        .isFalse());
        claimant.readsClaim(OTHER);

        assertThat(claimant.state()).isEqualTo(State.STANDBY);
        assertThat(claimant.events()).isEmpty();
    }

    @Test
    void a_claimed_term_that_is_not_renewed_ends_without_any_event() {
        OnePartition claimant = OnePartition.following(OTHER);
        LogRecord.Claim claim = claimant.claimsWhileOthersMayLead();
        claimant.readsClaim(OTHER, 20_000);
        claimant.reads(claim);
        assertThat(claimant.state()).isEqualTo(State.CLAIMED);
        claimant.passes(LEASE);

        assertThat(claimant.state()).isEqualTo(State.STANDBY);
        assertThat(claimant.events()).isEmpty();
    }

    @Test
    void a_claim_that_is_read_after_its_lease_gives_no_lead() {
        OnePartition claimant = OnePartition.fresh();
        claimant.waitsToBid();
        LogRecord.Claim claim = claimant.claimed();
        claimant.passes(LEASE);
        claimant.forget();
        claimant.reads(claim);

        assertThat(claimant.state()).isEqualTo(State.STANDBY);
        assertThat(claimant.events()).isEmpty();
    }

    @Test
    void its_own_resignation_in_the_log_ends_its_term_no_matter_who_wrote_it() {
        partition.readsResign(ME, term);

        assertThat(partition.events()).containsExactly(fenced(term, FenceReason.SUPERSEDED));
    }

    @Test
    void heartbeats_leave_on_a_grid_so_that_those_of_all_partitions_leave_together() {
        for (int beat = 0; beat < 4; beat++) {
            assertThat(partition.deadline() % INTERVAL).isZero();
            partition.passesTo(partition.deadline() - 1);
            assertThat(partition.appends()).isEmpty();
            partition.passes(1);
            assertThat(partition.appends()).hasSize(1);
        }
    }

    @Test
    void a_holder_answers_any_foreign_bid_at_once_and_once_in_a_poll() {
        partition.readsTogether(Records.bid(OTHER, partition.term()), Records.bid(OTHER, partition.term() - 1));

        assertThat(partition.appends()).hasSize(1).first().isInstanceOf(LogRecord.Heartbeat.class);
    }

    // Measurements for humans; no rule depends on them.

    @Test
    void a_heartbeat_that_comes_too_late_to_keep_the_lease_is_measured_too_and_a_foreign_one_is_not() {
        partition.passes(900);
        LogRecord late = partition.appends().get(0);
        partition.readsHeartbeat(OTHER, term);
        partition.passes(300);
        partition.reads(late);

        assertThat(partition.isLeader()).isFalse();
        assertThat(partition.roundTrips()).containsExactly(300L);
    }

    @Test
    void the_time_as_leader_ends_with_the_lease_also_where_that_is_noticed_later() {
        long left = partition.full().leaseLeftAt(partition.moment()).toMillis();
        partition.freezes(60_000);
        assertThat(partition.full().ledFor(partition.moment())).hasMillis(left);
        partition.passes(0);

        assertThat(partition.full().ledFor(partition.moment())).isZero();
    }

    @Test
    void the_lease_that_is_left_shrinks_by_the_clock_that_comes_first() {
        Duration left = partition.full().leaseLeftAt(partition.moment());
        assertThat(left).isLessThanOrEqualTo(Duration.ofMillis(LEASE)).isPositive();

        partition.shiftsWall(100);
        assertThat(partition.full().leaseLeftAt(partition.moment())).isEqualTo(left.minusMillis(100));
        partition.shiftsWall(-1_000);
        assertThat(partition.full().leaseLeftAt(partition.moment())).isEqualTo(left);
        partition.shiftsWall(LEASE + 1_000);
        assertThat(partition.full().leaseLeftAt(partition.moment())).isZero();
    }

    @Test
    void a_member_that_neither_leads_nor_drains_has_no_lease() {
        OnePartition fresh = OnePartition.fresh();
        assertThat(fresh.full().leaseLeftAt(fresh.moment())).isZero();

        partition.pauses();
        assertThat(partition.full().leaseLeftAt(partition.moment())).isPositive();
        partition.drained(term);
        assertThat(partition.full().leaseLeftAt(partition.moment())).isZero();
    }
}
