package io.neli.internal.member;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.NeliMetrics;
import io.neli.NeliMetrics.WorkOutcome;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GuardedMetricsTest {

    private static final Duration TIME = Duration.ofMillis(5);

    private final List<String> received = new CopyOnWriteArrayList<>();

    /** Writes down what it receives, and then fails: with a checked exception, as one written in Kotlin may. */
    private final class Failing implements NeliMetrics {

        private void fail(Object... measurement) {
            received.add(List.of(measurement).toString());
            GuardedMetricsTest.<RuntimeException>sneak(new IOException("meant to fail"));
        }

        @Override
        public void changed(LeaderEvent event) {
            fail("changed", event.role());
        }

        @Override
        public void handedOver(int partition, long token) {
            fail("handed over", partition, token);
        }

        @Override
        public void heartbeatRead(int partition, Duration roundTrip) {
            fail("heartbeat", partition, roundTrip);
        }

        @Override
        public void bidSent(int partition) {
            fail("bid", partition);
        }

        @Override
        public void takenOver(int partition) {
            fail("takeover", partition);
        }

        @Override
        public void workEnded(String role, WorkOutcome outcome, Duration duration) {
            fail(role, outcome, duration);
        }

        @Override
        public void workSkipped(String role) {
            fail("skipped", role);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> void sneak(Exception failure) throws E {
        throw (E) failure;
    }

    /** Nothing that a recipient throws may end the election's thread. */
    @Test
    void each_recipient_is_notified_whatever_the_others_throw() {
        GuardedMetrics metrics = new GuardedMetrics(List.of(new Failing(), new Failing()));

        metrics.changed(new LeaderAcquired("invoices", 0, 7));
        metrics.handedOver(1, 7);
        metrics.heartbeatRead(2, TIME);
        metrics.bidSent(3);
        metrics.takenOver(4);
        metrics.workEnded("reports", WorkOutcome.DRAINED, TIME);
        metrics.workSkipped("mail");

        assertThat(received)
                .containsExactly(
                        "[changed, invoices]",
                        "[changed, invoices]",
                        "[handed over, 1, 7]",
                        "[handed over, 1, 7]",
                        "[heartbeat, 2, PT0.005S]",
                        "[heartbeat, 2, PT0.005S]",
                        "[bid, 3]",
                        "[bid, 3]",
                        "[takeover, 4]",
                        "[takeover, 4]",
                        "[reports, DRAINED, PT0.005S]",
                        "[reports, DRAINED, PT0.005S]",
                        "[skipped, mail]",
                        "[skipped, mail]");
    }
}
