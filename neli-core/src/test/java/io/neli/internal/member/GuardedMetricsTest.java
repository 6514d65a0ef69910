package io.neli.internal.member;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.NeliMetrics;
import io.neli.NeliMetrics.RunKind;
import io.neli.NeliMetrics.RunOutcome;
import io.neli.NeliMetrics.WorkOutcome;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GuardedMetricsTest {

    private static final Map<Class<?>, Object> ARGUMENTS = Map.of(
            String.class,
            "invoices",
            int.class,
            3,
            long.class,
            7L,
            Duration.class,
            Duration.ofMillis(5),
            LeaderEvent.class,
            new LeaderAcquired("invoices", 0, 7),
            WorkOutcome.class,
            WorkOutcome.DRAINED,
            RunOutcome.class,
            RunOutcome.values()[0],
            RunKind.class,
            RunKind.values()[0]);

    private final List<String> received = new ArrayList<>();

    /** Records what it receives, and then fails. */
    private NeliMetrics failing() {
        return (NeliMetrics) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {NeliMetrics.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("toString")) {
                        return "failing metrics"; // appears in the warning
                    }
                    received.add(method.getName() + Arrays.toString(arguments));
                    throw new AssertionError("meant to fail"); // or a checked exception, thrown by Kotlin
                });
    }

    /** No exception of a recipient may end the election's thread. */
    @Test
    void each_recipient_is_notified_of_each_measurement_whatever_the_others_throw() throws Exception {
        GuardedMetrics metrics = new GuardedMetrics(List.of(failing(), failing()));
        for (Method each : NeliMetrics.class.getMethods()) {
            Object[] arguments =
                    Arrays.stream(each.getParameterTypes()).map(ARGUMENTS::get).toArray();
            received.clear();
            each.invoke(metrics, arguments);

            String measurement = each.getName() + Arrays.toString(arguments);
            assertThat(received).containsExactly(measurement, measurement);
        }
    }
}
