package io.neli.internal.election;

import java.util.ArrayList;
import java.util.List;

import io.neli.LeaderEvent.FenceReason;
import org.junit.jupiter.api.Test;

import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;
import static io.neli.internal.election.OnePartition.fenced;
import static org.assertj.core.api.Assertions.assertThat;

/** The log has lost records or was replaced. */
class LogGapTest {

    @Test
    void a_claim_that_meets_a_gap_ends_without_any_event() {
        OnePartition partition = OnePartition.fresh();
        partition.waitsToBid();
        partition.losesLog();

        assertThat(partition.events()).isEmpty();
        assertThat(partition.log().claim).isNull();
    }

    @Test
    void holder_and_term_are_forgotten() {
        OnePartition partition = OnePartition.following(OTHER);
        partition.losesLog();
        assertThat(partition.full().term()).isNull();

        partition.opens(50, 60);
        assertThat(partition.term()).isEqualTo(Term.NONE);
        assertThat(partition.full().caughtUp()).isFalse();
    }

    @Test
    void the_lease_of_a_holder_that_was_known_before_the_gap_is_waited_for_even_on_an_empty_log() {
        OnePartition partition = OnePartition.following(OTHER);
        MonotonicTime bound = partition.log().view.holderBound;
        partition.losesLog();
        partition.opens(0, 0);

        assertThat(partition.log().view.othersBound()).isEqualTo(bound);
    }

    @Test
    void reading_its_own_old_records_again_never_leads_with_the_old_token() {
        OnePartition partition = OnePartition.fresh();
        List<LogRecord> own = new ArrayList<>();
        partition.waitsToBid();
        LogRecord.Claim claim = partition.claimed();
        long token = partition.reads(claim);
        own.addAll(partition.appends());
        partition.losesLog();
        partition.forget();

        partition.opens(0, token + 2);
        partition.readsAt(token, claim);
        own.forEach(partition::reads);

        assertThat(partition.term()).isEqualTo(token);
        assertThat(partition.full().term().holder()).isEqualTo(ME);
        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.events()).isEmpty();
        partition.fencedWorkEnds(token);
        assertThat(partition.takesLeadership()).isGreaterThan(token);
    }

    @Test
    void a_log_that_is_opened_again_without_a_notice_of_the_loss_is_a_gap_too() {
        OnePartition partition = OnePartition.leading();
        long token = partition.term();
        partition.opens(5, 5);

        assertThat(partition.events()).containsExactly(fenced(token, FenceReason.LOG_GAP));
        assertThat(partition.state()).isEqualTo(State.STANDBY);
    }

    @Test
    void a_member_does_not_bid_before_it_has_read_what_was_there() {
        OnePartition partition = OnePartition.unopened().opens(0, 5);
        partition.passes(10_000);

        assertThat(partition.appends()).isEmpty();
    }
}
