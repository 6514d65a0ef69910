package io.neli.internal.shell;

import java.util.ArrayList;
import java.util.List;

import io.neli.NeliMetrics;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MetricsReporterTest {

    private final List<Integer> received = new ArrayList<>();

    /** Records what it receives, and then fails. */
    private final class Failing implements NeliMetrics {
        @Override
        public void bidSent(int partition) {
            received.add(partition);
            throw new AssertionError("meant to fail"); // or a checked exception, thrown by Kotlin
        }
    }

    /** No exception of a recipient may end the election's thread. */
    @Test
    void each_recipient_is_notified_of_each_measurement_whatever_the_others_throw() {
        MetricsReporter metrics = new MetricsReporter(List.of(new Failing(), new Failing()));
        metrics.report(each -> each.bidSent(3));
        metrics.report(each -> each.bidSent(4));
        assertThat(received).containsExactly(3, 3, 4, 4);
    }
}
