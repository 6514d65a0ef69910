package io.neli.protocol.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;

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

    private static final int SCHEDULES = Integer.getInteger("neli.schedules", 2_500);

    @Test
    void neverTwoLeadersAndSoonOneThatStays() {
        Long only = Long.getLong("neli.seed");
        if (only != null) {
            new Schedule(only, System.out::println).run();
            return;
        }
        long began = System.nanoTime();
        List<Schedule.Outcome> outcomes = LongStream.range(0, SCHEDULES)
                .parallel()
                .mapToObj(ElectionSimulationTest::run)
                .toList();
        int acquisitions =
                outcomes.stream().mapToInt(Schedule.Outcome::acquisitions).sum();
        double slowest = outcomes.stream()
                .mapToDouble(Schedule.Outcome::leasesToSettle)
                .max()
                .orElse(0);
        System.out.printf(
                "schedules: %d, acquisitions: %d, settled within %.1f leases, took %d ms%n",
                SCHEDULES, acquisitions, slowest, (System.nanoTime() - began) / 1_000_000);
        assertThat(acquisitions).as("a simulation in which something happens").isGreaterThan(3 * SCHEDULES);
    }

    @Test
    void aSeedReplaysExactly() {
        for (long seed = 0; seed < 20; seed++) {
            assertThat(traceOf(seed)).isEqualTo(traceOf(seed));
        }
    }

    private static Schedule.Outcome run(long seed) {
        try {
            return new Schedule(seed, null).run();
        } catch (RuntimeException e) {
            return fail(report(seed, e), e);
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
