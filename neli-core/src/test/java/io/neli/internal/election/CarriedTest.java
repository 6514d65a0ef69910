package io.neli.internal.election;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.OTHER;
import static io.neli.internal.election.OnePartition.THIRD;
import static io.neli.internal.election.OnePartition.heartbeat;
import static io.neli.internal.election.OnePartition.time;
import static org.assertj.core.api.Assertions.assertThat;

/** What a member waits for before it leads. */
class CarriedTest {

    private static long othersBound(OnePartition partition) {
        MonotonicTime bound = partition.log().view.othersBound();
        return bound.equals(MonotonicTime.PAST) ? 0 : bound.nanos() / 1_000_000;
    }

    @Test
    void a_longer_lease_is_told_until_it_is_over_and_no_longer_believed_when_others_tell_it() {
        OnePartition partition = OnePartition.young();
        partition.readsClaim(OTHER, 3_000);
        partition.passes(3_029);
        partition.reads(heartbeat(OTHER, 0, LEASE));
        assertThat(toldLease(partition)).isEqualTo(Duration.ofMillis(3_000));

        partition.passes(1);
        partition.reads(heartbeat(OTHER, 0, LEASE));
        partition.passes(3_030);
        partition.reads(heartbeat(OTHER, 0, LEASE));
        assertThat(toldLease(partition)).isEqualTo(Duration.ofMillis(LEASE));

        partition.reads(new LogRecord.Bid(new LogRecord.Sender(THIRD, 1, Duration.ofMillis(3_000)), 0));
        assertThat(toldLease(partition)).isEqualTo(Duration.ofMillis(LEASE));
    }

    private static Duration toldLease(OnePartition partition) {
        return partition.log().view.longestLease();
    }

    @Test
    void a_shorter_lease_does_not_shorten_the_cover_and_also_a_stale_record_with_a_longer_one_prolongs_it() {
        OnePartition partition = OnePartition.young();
        long opened = partition.now();
        partition.readsClaim(THIRD, 200);
        assertThat(othersBound(partition)).isEqualTo(opened + 1_010);
        partition.reads(heartbeat(OTHER, 42, 3_000));

        assertThat(partition.ignored()).containsExactly(IgnoredRecord.STALE_HEARTBEAT);
        assertThat(othersBound(partition)).isEqualTo(opened + 3_030);
    }

    @ParameterizedTest
    @CsvSource({
        "true, 100, true", // a leader
        "true, 99, false", // a leader that had not read up to the start
        "false, 100, false" // a holder that is still waiting
    })
    void only_a_leader_that_had_read_up_to_the_start_ends_the_cover(boolean leading, long upTo, boolean ends) {
        OnePartition partition = OnePartition.young();
        partition.reads(answer(leading, upTo));
        partition.reads(heartbeat(OTHER, 41, 3_000)); // does not bring it back

        assertThat(othersBound(partition) == 0).isEqualTo(ends);
    }

    @Test
    void a_stale_answer_ends_nothing() {
        OnePartition partition = OnePartition.young();
        partition.readsClaim(THIRD);
        partition.reads(answer(true, 100));

        assertThat(othersBound(partition)).isPositive();
    }

    @Test
    void the_largest_bound_of_all_holders_counts_that_a_claim_or_an_adopted_term_superseded() {
        OnePartition partition = OnePartition.following(OTHER);
        long read = partition.now();
        partition.readsAt(9, heartbeat(THIRD, 5, 5_000));
        assertThat(othersBound(partition)).isEqualTo(read + 1_010);

        partition.readsClaim(OTHER);
        partition.readsClaim(THIRD);
        assertThat(othersBound(partition)).isEqualTo(read + 5_050);
    }

    @Test
    void a_resignation_ends_its_own_term_only() {
        OnePartition partition = OnePartition.following(OTHER);
        long read = partition.now();
        long term = partition.readsClaim(THIRD, 5_000);
        partition.readsResign(THIRD, term);
        partition.readsClaim(OTHER);

        assertThat(othersBound(partition)).isEqualTo(read + 1_010);
    }

    @Test
    void the_leaders_answer_also_ends_the_bounds_of_those_it_superseded() {
        OnePartition partition = OnePartition.following(OTHER);
        long term = partition.readsClaim(THIRD);
        partition.reads(Records.heartbeat(THIRD, 1, Duration.ofMillis(LEASE), term, true, 2));

        assertThat(othersBound(partition)).isZero();
    }

    @Test
    void a_claim_waits_for_the_bound_and_leads_the_moment_it_has_passed() {
        OnePartition partition = OnePartition.following(OTHER);
        long bound = partition.now() + 1_010;
        partition.passesTo(bound - 200);
        partition.waitsToBid();
        partition.reads(partition.claimed());
        assertThat(partition.state()).isEqualTo(State.CLAIMED);

        partition.passesTo(bound - 1);
        assertThat(partition.state()).isEqualTo(State.CLAIMED);
        assertThat(partition.log().lease().until()).isGreaterThan(time(bound));
        partition.passesTo(bound);
        assertThat(partition.isLeader()).isTrue();
    }

    private static LogRecord.Heartbeat answer(boolean leading, long upTo) {
        return Records.heartbeat(OTHER, 1, Duration.ofMillis(LEASE), 42, leading, upTo);
    }
}
