package io.neli.internal.election;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;
import static io.neli.internal.election.OnePartition.THIRD;
import static io.neli.internal.election.OnePartition.claim;
import static io.neli.internal.election.OnePartition.heartbeat;
import static io.neli.internal.election.OnePartition.time;
import static org.assertj.core.api.Assertions.assertThat;

/** The leases and tokens that records carry: a member waits for these leases before it leads, with a larger token. */
class CarriedTest {

    private static final Decoded.Newer NEWER = new Decoded.Newer(Duration.ZERO, 0);
    private static final long AHEAD = 9_000_000_000_000L;

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

    @ParameterizedTest
    @CsvSource({"0, 1010", "5000, 5050"})
    void a_record_of_a_newer_version_may_grant_the_longest_lease_known_or_a_longer_one_that_it_names(
            long named, long bound) {
        OnePartition partition = OnePartition.fresh();
        partition.reads(new Decoded.Newer(Duration.ofMillis(named), 0));
        assertThat(partition.log().view.othersBound()).isEqualTo(time(partition.now() + bound));
        partition.forget();
        partition.passes(bound - 1);
        assertThat(partition.appends()).isEmpty();

        partition.passes(6);
        assertThat(partition.appends()).singleElement().isInstanceOf(LogRecord.Bid.class);
    }

    @Test
    void a_claimant_does_not_lead_while_the_lease_of_a_newer_version_may_last() {
        OnePartition partition = OnePartition.fresh();
        partition.waitsToBid();
        LogRecord.Claim claim = partition.claimed();
        partition.readsTogether(NEWER, claim);

        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.events()).isEmpty();
        assertThat(partition.appends()).singleElement().isInstanceOf(LogRecord.Resign.class);
    }

    @Test
    void neither_a_heartbeat_nor_the_loss_of_the_log_ends_the_wait_for_the_lease_of_a_newer_version() {
        OnePartition partition = OnePartition.young();
        partition.reads(NEWER);
        long until = partition.now() + LEASE * 101 / 100;
        long term = partition.readsClaim(OTHER);
        partition.reads(Records.heartbeat(OTHER, 1, Duration.ofMillis(LEASE), term, true, term + 1));

        assertThat(partition.log().view.othersBound()).isEqualTo(time(until));
        partition.losesLog();
        partition.opens(0, 0);
        assertThat(partition.log().view.newerUntil).isEqualTo(time(until));
        assertThat(partition.conflict()).isEqualTo(Conflict.NEWER_VERSION);
    }

    @Test
    void the_heartbeats_of_a_leader_that_steps_down_for_a_newer_version_do_not_say_that_it_has_waited() {
        OnePartition partition = OnePartition.leading();
        partition.reads(NEWER);
        partition.forget();
        partition.passes(OnePartition.INTERVAL);

        assertThat(partition.appends()).isNotEmpty().allSatisfy(sent -> {
            LogRecord.Heartbeat heartbeat = (LogRecord.Heartbeat) sent;
            assertThat(heartbeat.leading()).isFalse();
            assertThat(heartbeat.upTo()).isZero();
        });
    }

    private static long tokenOf(OnePartition partition) {
        return partition.full().leadingAt(partition.moment());
    }

    @Test
    void the_first_token_of_a_log_is_the_wall_clock() {
        OnePartition partition = OnePartition.leading();
        long wall = partition.moment().wallMillis();

        assertThat(tokenOf(partition)).isBetween(wall - LEASE, wall);
    }

    @Test
    void a_token_in_a_stale_record_or_in_one_of_a_newer_version_counts_too() {
        LogRecord.Sender sender = new LogRecord.Sender(OTHER, AHEAD, Duration.ofMillis(1));
        for (Decoded read : List.of(new LogRecord.Bid(sender, 77), new Decoded.Newer(Duration.ZERO, AHEAD))) {
            OnePartition partition = OnePartition.fresh();
            partition.reads(read);
            partition.passes(2 * LEASE);
            partition.forget();
            partition.takesLeadership();

            assertThat(tokenOf(partition)).isEqualTo(AHEAD + 1);
        }
    }

    /** Both claimed with the same token. The first may have led with it, and has resigned. */
    @Test
    void a_claim_that_comes_after_as_large_a_token_leads_only_once_a_larger_one_is_read_back() {
        OnePartition partition = OnePartition.fresh();
        partition.waitsToBid();
        LogRecord.Claim own = partition.claimed();
        long token = own.sender().token();
        partition.readsResign(OTHER, partition.reads(claim(OTHER, token)));
        partition.reads(own);
        assertThat(partition.state()).isEqualTo(State.CLAIMED);

        List<LogRecord> sent = partition.appends();
        assertThat(sent).singleElement().isInstanceOf(LogRecord.Heartbeat.class);
        partition.reads(sent.get(0));
        assertThat(partition.state()).isEqualTo(State.LEADING);
        assertThat(tokenOf(partition))
                .isGreaterThan(token)
                .isEqualTo(sent.get(0).sender().token());
    }

    @Test
    void every_record_carries_the_largest_token_and_the_longest_lease_that_its_sender_knows() {
        OnePartition partition = OnePartition.fresh();
        Duration longest = Duration.ofMillis(7 * LEASE);
        partition.reads(new LogRecord.Bid(new LogRecord.Sender(THIRD, AHEAD, longest), Term.NONE));
        partition.passes(LEASE);
        LogRecord bid = partition.appends().get(0);

        assertThat(bid.sender()).isEqualTo(new LogRecord.Sender(ME, AHEAD, longest));
    }

    @Test
    void the_largest_token_that_there_can_be_ends_no_term_and_lets_nobody_begin_one() {
        OnePartition partition = OnePartition.leading();
        LogRecord.Sender sender = new LogRecord.Sender(OTHER, RecordCodec.LARGEST_TOKEN, Duration.ofMillis(LEASE));
        partition.reads(new LogRecord.Hello(sender));
        assertThat(partition.isLeader()).isTrue();
        assertThat(partition.log().isOpen()).isTrue();
        assertThat(partition.conflict()).isEqualTo(Conflict.NONE);

        OnePartition standby = OnePartition.fresh();
        standby.reads(new LogRecord.Hello(sender));
        assertThat(standby.conflict()).isEqualTo(Conflict.NO_LARGER_TOKEN);
        standby.forget();
        standby.passes(3 * LEASE);
        assertThat(standby.appends()).isEmpty();
    }
}
