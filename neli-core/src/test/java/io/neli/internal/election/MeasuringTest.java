package io.neli.internal.election;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;
import static org.assertj.core.api.Assertions.assertThat;

/** Measurements for humans; no rule depends on them. */
class MeasuringTest {

    @Test
    void a_heartbeat_that_comes_too_late_to_keep_the_lease_is_measured_too() {
        OnePartition partition = OnePartition.leading();
        partition.passes(900);
        LogRecord late = partition.appends().get(0);
        partition.passes(300);
        partition.reads(late);

        assertThat(partition.isLeader()).isFalse();
        assertThat(partition.roundTrips()).containsExactly(300L);
    }

    @Test
    void neither_a_foreign_heartbeat_nor_one_that_it_never_sent_is_measured() {
        OnePartition partition = OnePartition.leading();
        partition.readsHeartbeat(OTHER, partition.term());
        partition.reads(Records.heartbeat(
                ME, 4711, partition.settings.leaseDuration(), partition.term(), true, partition.term()));

        assertThat(partition.roundTrips()).isEmpty();
    }

    @Test
    void the_time_as_leader_ends_with_the_lease_also_where_that_is_noticed_later() {
        OnePartition partition = OnePartition.leading();
        long left = partition.full().leaseLeftAt(partition.moment()).toMillis();
        partition.freezes(60_000);
        assertThat(partition.full().ledFor(partition.moment())).hasMillis(left);
        partition.passes(0);

        assertThat(partition.full().ledFor(partition.moment())).isZero();
    }

    @Test
    void the_lease_that_is_left_shrinks_by_the_clock_that_comes_first() {
        OnePartition partition = OnePartition.leading();
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

        OnePartition draining = OnePartition.leading();
        draining.pauses();
        assertThat(draining.full().leaseLeftAt(draining.moment())).isPositive();
        draining.drained(draining.term());
        assertThat(draining.full().leaseLeftAt(draining.moment())).isZero();
    }
}
