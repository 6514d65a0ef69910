package io.neli.protocol.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Thousands of schedules against the real election: never two leaders, tokens that only grow, events that tell one story, and
 * one leader that stays as soon as the faults end.
 *
 * <p>{@code -Dneli.schedules=N} runs another number of them, {@code -Dneli.seed=N} one alone, with its trace.
 */
class ElectionSimulationTest {

    private static final int SCHEDULES = Integer.getInteger("neli.schedules", 3_000);

    @Test
    void neverTwoLeadersAndSoonOneThatStays() {
        Long only = Long.getLong("neli.seed");
        if (only != null) {
            new Schedule(only, System.out::println).run();
            return;
        }
        long began = System.nanoTime();
        long acquisitions = 0;
        double slowest = 0;
        for (long seed = 0; seed < SCHEDULES; seed++) {
            try {
                Schedule.Outcome outcome = new Schedule(seed, null).run();
                acquisitions += outcome.acquisitions();
                slowest = Math.max(slowest, outcome.leasesToSettle());
            } catch (RuntimeException e) {
                fail(report(seed, e), e);
            }
        }
        System.out.printf(
                "schedules: %d, acquisitions: %d, settled within %.1f leases, took %d ms%n",
                SCHEDULES, acquisitions, slowest, (System.nanoTime() - began) / 1_000_000);
        assertThat(acquisitions).as("a simulation in which something happens").isGreaterThan(3L * SCHEDULES);
    }

    @Test
    void aSeedReplaysExactly() {
        for (long seed = 0; seed < 20; seed++) {
            assertThat(traceOf(seed)).isEqualTo(traceOf(seed));
        }
    }

    private static String report(long seed, RuntimeException failure) {
        return """
                seed %d: %s
                replay: ./mvnw -pl neli-core test -Dtest=ElectionSimulationTest -Dneli.seed=%d
                %s"""
                .formatted(seed, failure.getMessage(), seed, traceOf(seed));
    }

    /** The last lines of what happened. */
    private static String traceOf(long seed) {
        Deque<String> lines = new ArrayDeque<>();
        Consumer<String> trace = line -> {
            lines.add(line);
            if (lines.size() > 40) {
                lines.remove();
            }
        };
        try {
            new Schedule(seed, trace).run();
        } catch (RuntimeException e) {
            lines.add(String.valueOf(e.getMessage()));
        }
        return String.join("\n", lines);
    }
}
