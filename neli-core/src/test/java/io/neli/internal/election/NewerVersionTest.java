package io.neli.internal.election;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.OTHER;
import static org.assertj.core.api.Assertions.assertThat;

class NewerVersionTest {

    private static final Decoded.Newer NEWER = new Decoded.Newer(Duration.ZERO, 0);

    @ParameterizedTest
    @CsvSource({"0, 1010", "5000, 5050"})
    void a_record_of_a_newer_version_may_grant_the_longest_lease_known_or_a_longer_one_that_it_names(
            long named, long bound) {
        OnePartition partition = OnePartition.fresh();
        partition.reads(new Decoded.Newer(Duration.ofMillis(named), 0));
        assertThat(partition.ignored()).containsExactly(IgnoredRecord.NEWER_VERSION);
        assertThat(partition.log().view.othersBound()).isEqualTo(OnePartition.time(partition.now() + bound));
        partition.forget();
        partition.passes(bound - 1);
        assertThat(partition.appends()).isEmpty();

        partition.passes(6);
        assertThat(partition.appends()).singleElement().isInstanceOf(LogRecord.Bid.class);
    }

    @Test
    void a_claimant_does_not_lead_while_such_a_lease_may_last() {
        OnePartition partition = OnePartition.fresh();
        partition.waitsToBid();
        LogRecord.Claim claim = partition.claimed();
        partition.readsTogether(NEWER, claim);

        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.events()).isEmpty();
        assertThat(partition.appends()).singleElement().isInstanceOf(LogRecord.Resign.class);
    }

    @Test
    void neither_a_heartbeat_nor_the_loss_of_the_log_ends_the_wait_for_such_a_lease() {
        OnePartition partition = OnePartition.young();
        partition.reads(NEWER);
        long until = partition.now() + LEASE * 101 / 100;
        long term = partition.readsClaim(OTHER);
        partition.reads(Records.heartbeat(OTHER, 1, Duration.ofMillis(LEASE), term, true, term + 1));

        assertThat(partition.log().view.othersBound()).isEqualTo(OnePartition.time(until));
        partition.losesLog();
        partition.opens(0, 0);
        assertThat(partition.log().view.newerUntil).isEqualTo(OnePartition.time(until));
        assertThat(partition.conflict()).isEqualTo(Conflict.NEWER_VERSION);
    }

    @Test
    void the_token_of_such_a_record_counts() {
        OnePartition partition = OnePartition.fresh();
        partition.reads(new Decoded.Newer(Duration.ZERO, 9_000_000_000_000L));
        partition.passes(2 * LEASE);
        partition.forget();
        partition.takesLeadership();

        assertThat(partition.full().term().token()).isEqualTo(9_000_000_000_001L);
    }

    @Test
    void the_heartbeats_of_a_leader_that_steps_down_for_it_do_not_say_that_it_has_waited() {
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
}
