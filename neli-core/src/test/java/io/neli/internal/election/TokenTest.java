package io.neli.internal.election;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;
import static io.neli.internal.election.OnePartition.THIRD;
import static io.neli.internal.election.OnePartition.claim;
import static org.assertj.core.api.Assertions.assertThat;

class TokenTest {

    private static final long AHEAD = 9_000_000_000_000L;

    private static long tokenOf(OnePartition partition) {
        return partition.full().leadingAt(partition.moment());
    }

    @Test
    void the_first_token_of_a_log_is_the_wall_clock() {
        OnePartition partition = OnePartition.leading();

        assertThat(tokenOf(partition))
                .isBetween(
                        partition.moment().wallMillis() - LEASE,
                        partition.moment().wallMillis());
    }

    @Test
    void a_token_in_a_stale_record_counts_too() {
        OnePartition partition = OnePartition.fresh();
        partition.reads(new LogRecord.Bid(new LogRecord.Sender(OTHER, AHEAD, Duration.ofMillis(1)), 77));
        partition.takesLeadership();

        assertThat(tokenOf(partition)).isEqualTo(AHEAD + 1);
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
