package io.neli.protocol;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import static io.neli.protocol.OnePartition.LEASE;
import static io.neli.protocol.OnePartition.ME;
import static io.neli.protocol.OnePartition.OTHER;
import static org.assertj.core.api.Assertions.assertThat;

/** What is told for people to see; no rule depends on it. */
class MeasuringTest {

    @Test
    void aHeartbeatIsMeasuredFromItsSendingUntilItIsReadBack() {
        OnePartition partition = OnePartition.leading();
        partition.passesTo(partition.deadline());
        LogRecord beat = partition.appends().get(0);
        partition.passes(70);
        partition.reads(beat);

        assertThat(partition.roundTrips()).containsExactly(70L);
    }

    @Test
    void aHeartbeatThatComesTooLateToKeepTheLeaseIsMeasuredToo() {
        OnePartition partition = OnePartition.leading();
        partition.passes(900);
        LogRecord late = partition.appends().get(0);
        partition.passes(300);
        partition.reads(late);

        assertThat(partition.isLeader()).isFalse();
        assertThat(partition.roundTrips()).containsExactly(300L);
    }

    @Test
    void neitherAForeignHeartbeatNorOneThatItNeverSentIsMeasured() {
        OnePartition partition = OnePartition.leading();
        partition.readsHeartbeat(OTHER, partition.term());
        partition.reads(new LogRecord.Heartbeat(
                ME, 4711, partition.settings.lease(), partition.term(), true, partition.term()));

        assertThat(partition.roundTrips()).isEmpty();
    }

    @Test
    void theTimeAsLeaderIsMeasuredWhenItIsRevokedAndNotOnceMoreWhenItsHandoverTimesOut() {
        OnePartition partition = OnePartition.leading();
        partition.leadsOn(3_000);
        assertThat(partition.led()).isEmpty();
        partition.pauses();
        assertThat(partition.led()).containsExactly(3_000L);

        partition.leadsOn(OnePartition.HANDOVER_TIMEOUT);

        assertThat(partition.state()).isEqualTo(State.STANDBY);
        assertThat(partition.led()).isEmpty();
    }

    @Test
    void theTimeAsLeaderIsMeasuredWhenAnotherSupersedesIt() {
        OnePartition partition = OnePartition.leading();
        partition.leadsOn(500);
        partition.readsClaim(OTHER);

        assertThat(partition.led()).containsExactly(500L);
    }

    @Test
    void theTimeAsLeaderEndsWithTheLeaseAlsoWhereThatIsNoticedLater() {
        OnePartition partition = OnePartition.leading();
        long left = partition.full().leaseLeftAt(partition.moment()).toMillis();
        partition.standsStill(60_000);
        assertThat(partition.full().ledFor(partition.moment())).hasMillis(left);
        partition.passes(0);

        assertThat(partition.led()).containsExactly(left);
        assertThat(partition.full().ledFor(partition.moment())).isZero();
    }

    @Test
    void theLeaseThatIsLeftShrinksByTheClockThatComesFirst() {
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
    void aMemberThatNeitherLeadsNorDrainsHasNoLease() {
        OnePartition fresh = OnePartition.fresh();
        assertThat(fresh.full().leaseLeftAt(fresh.moment())).isZero();

        OnePartition draining = OnePartition.leading();
        draining.pauses();
        assertThat(draining.full().leaseLeftAt(draining.moment())).isPositive();
        draining.drained(draining.term());
        assertThat(draining.full().leaseLeftAt(draining.moment())).isZero();
        assertThat(draining.led()).isEqualTo(List.of(0L));
    }
}
