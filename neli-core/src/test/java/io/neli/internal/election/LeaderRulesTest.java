package io.neli.internal.election;

import java.time.Duration;
import java.util.Map;

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

/** From the member's own claim, once read back, to the end of the lease. */
class LeaderRulesTest {

    @Test
    void the_own_claim_read_back_leads_at_once_where_nobody_else_can() {
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
    void the_lease_counts_from_the_sending_of_the_claim() {
        OnePartition partition = OnePartition.fresh();
        partition.waitsToBid();
        long sent = partition.now();
        LogRecord claim = partition.claimed();
        partition.passes(600);
        partition.reads(claim);
        assertThat(partition.isLeader()).isTrue();
        assertThat(partition.log().lease().until()).isEqualTo(time(sent + LEASE));
    }

    @Test
    void the_lease_counts_from_the_sending_of_the_latest_heartbeat_read_back() {
        OnePartition partition = OnePartition.leading();
        partition.passesTo(partition.deadline());
        long sent = partition.now();
        LogRecord beat = partition.appends().get(0);
        partition.passes(500);
        partition.reads(beat);

        assertThat(partition.log().lease().until()).isEqualTo(time(sent + LEASE));
    }

    @Test
    void a_term_that_was_over_for_a_caller_does_not_come_back_with_a_heartbeat_read_after_a_pause() {
        OnePartition partition = OnePartition.leading();
        long token = partition.term();
        partition.passes(900);
        LogRecord sent = partition.appends().get(0);
        partition.freezes(100);
        assertThat(partition.isLeader()).isFalse();
        partition.reads(sent);

        assertThat(partition.isLeader()).isFalse();
        assertThat(partition.events()).containsExactly(fenced(token, FenceReason.LEASE_EXPIRED));
    }

    @Test
    void a_heartbeat_of_an_earlier_term_renews_nothing() {
        OnePartition partition = OnePartition.leading();
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
        OnePartition partition = OnePartition.fresh();
        long term = partition.takesLeadership();
        LogRecord.Heartbeat once = heartbeat(OTHER, term, LEASE);
        partition.reads(once);
        partition.reads(once);
        assertThat(partition.isLeader()).isTrue();
        partition.reads(new LogRecord.Heartbeat(
                once.sender(),
                new LogRecord.Grant(1_000, Duration.ofMillis(LEASE), OnePartition.GROUP_CONFIG.of(0), Map.of()),
                term,
                true,
                0,
                null));

        assertThat(partition.events()).containsExactly(fenced(term, FenceReason.LOG_GAP));
        assertThat(partition.log().isOpen()).isFalse();
    }

    @Test
    void a_copy_of_its_own_claim_ends_the_term_and_is_given_up_as_the_work_of_the_first_still_runs() {
        OnePartition partition = OnePartition.fresh();
        partition.waitsToBid();
        LogRecord claim = partition.claimed();
        long first = partition.reads(claim);
        partition.forget();
        long second = partition.reads(claim);

        assertThat(partition.events()).containsExactly(fenced(first, FenceReason.SUPERSEDED));
        assertThat(partition.appends()).satisfiesExactly(OnePartition.isResign(ME, second));
    }

    @Test
    void a_wall_clock_that_moves_forward_ends_the_lease() {
        OnePartition partition = OnePartition.leading();
        partition.shiftsWall(LEASE);
        assertThat(partition.isLeader()).isFalse();

        partition.passes(INTERVAL);
        assertThat(partition.events()).containsExactly(fenced(partition.term(), FenceReason.LEASE_EXPIRED));
    }

    @Test
    void a_lease_that_the_wall_clock_ended_is_vacant_at_once() {
        OnePartition partition = OnePartition.leading();
        partition.assigned(ME, partition.term());
        partition.forget();
        partition.shiftsWall(LEASE);
        partition.passes(INTERVAL);
        partition.fencedWorkEnds(partition.term());

        assertThat(partition.appends()).satisfiesExactly(OnePartition.isBid(ME, partition.term()));
    }

    @Test
    void a_wall_clock_that_moves_backward_does_not_prolong_the_lease() {
        OnePartition partition = OnePartition.leading();
        partition.shiftsWall(-3_600_000);
        partition.passes(LEASE - 1);
        assertThat(partition.isLeader()).isTrue();
        partition.passes(1);
        assertThat(partition.isLeader()).isFalse();
    }

    @Test
    void a_wall_clock_that_moves_backward_does_not_end_the_lease_of_a_leader_that_is_read_back() {
        OnePartition partition = OnePartition.leading();
        partition.shiftsWall(-3_600_000);
        partition.leadsOn(5 * LEASE);

        assertThat(partition.isLeader()).isTrue();
        assertThat(partition.events()).isEmpty();
    }

    @Test
    void a_later_claim_fences_the_leader() {
        OnePartition partition = OnePartition.leading();
        long token = partition.term();
        partition.readsClaim(OTHER);

        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.events()).containsExactly(fenced(token, FenceReason.SUPERSEDED));
        assertThat(partition.appends()).isEmpty();
    }

    @Test
    void a_later_claim_ends_a_claim_without_any_event() {
        OnePartition partition = OnePartition.following(OTHER);
        partition.reads(partition.claimsWhileOthersMayLead());
        assertThat(partition.state()).isEqualTo(State.CLAIMED);
        partition.readsClaim(OTHER);

        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.events()).isEmpty();
    }

    @Test
    void a_claimed_term_that_is_not_renewed_ends_without_any_event() {
        OnePartition partition = OnePartition.following(OTHER);
        LogRecord.Claim claim = partition.claimsWhileOthersMayLead();
        partition.readsClaim(OTHER, 20_000);
        partition.reads(claim);
        assertThat(partition.state()).isEqualTo(State.CLAIMED);
        partition.passes(LEASE);

        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.events()).isEmpty();
    }

    /** A caller saw the end of the lease first. */
    @Test
    void a_lease_that_was_reported_as_over_fences_its_own_term_only() {
        OnePartition partition = OnePartition.leading();
        long term = partition.term();
        partition.lapses(term - 1);
        assertThat(partition.isLeader()).isTrue();
        partition.lapses(term);
        partition.lapses(term);

        assertThat(partition.isLeader()).isFalse();
        assertThat(partition.events()).containsExactly(fenced(term, FenceReason.LEASE_EXPIRED));
    }

    @Test
    void a_claim_that_is_read_after_its_lease_gives_no_lead() {
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
    void its_own_resignation_in_the_log_ends_its_term_no_matter_who_wrote_it() {
        OnePartition partition = OnePartition.leading();
        long token = partition.term();
        partition.readsResign(ME, token);

        assertThat(partition.events()).containsExactly(fenced(token, FenceReason.SUPERSEDED));
    }

    @Test
    void heartbeats_leave_on_a_grid_so_that_those_of_all_partitions_leave_together() {
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
    void a_holder_answers_any_foreign_bid_at_once_and_once_in_a_poll() {
        OnePartition partition = OnePartition.leading();
        partition.readsTogether(Records.bid(OTHER, partition.term()), Records.bid(OTHER, partition.term() - 1));

        assertThat(partition.appends()).hasSize(1).first().isInstanceOf(LogRecord.Heartbeat.class);
    }

    @Test
    void a_member_that_only_waits_says_so_in_its_heartbeats() {
        OnePartition partition = OnePartition.following(OTHER);
        LogRecord.Claim claim = partition.claimsWhileOthersMayLead();
        partition.reads(claim);

        assertThat(partition.state()).isEqualTo(State.CLAIMED);
        assertThat(partition.appends())
                .singleElement()
                .isInstanceOfSatisfying(LogRecord.Heartbeat.class, sent -> assertThat(sent.leading())
                        .isFalse());
    }

    @Test
    void who_leads_is_known_only_while_that_lease_lasts() {
        OnePartition partition = OnePartition.leading();
        assertThat(partition.leader()).isEqualTo(ME);
        partition.passes(LEASE);
        assertThat(partition.leader()).isNull();
    }
}
