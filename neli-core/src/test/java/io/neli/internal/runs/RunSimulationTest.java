package io.neli.internal.runs;

import java.util.stream.LongStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No run is missed, begun twice or repeated after its end was recorded, in 1,000 schedules, or 100,000 with {@code
 * -Pproofs}. Schedules are numbered: even ones have {@code AT_LEAST_ONCE}, odd ones {@code AT_MOST_ONCE}.
 */
class RunSimulationTest {

    private static final int FIRST = 1_000;
    private static final int ALL = Integer.getInteger("neli.schedules", 100_000);

    @Test
    void nothing_is_missed_or_repeated() {
        runAll(0, Math.min(FIRST, ALL));
    }

    @Tag("proof")
    @Test
    void nothing_is_missed_or_repeated_in_many_more_schedules() {
        runAll(FIRST, ALL);
    }

    private static void runAll(long from, long to) {
        long runs = LongStream.range(from, to)
                .parallel()
                .map(seed -> {
                    SimulatedRuns simulated = new SimulatedRuns(seed);
                    assertThat(simulated.run()).as("seed %d", seed).isNull();
                    return simulated.runs();
                })
                .sum();
        assertThat(runs).as("a simulation in which jobs run").isGreaterThan(10 * (to - from));
    }
}
