package io.neli.internal.election.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Runs schedules with the real election. There are never two leaders, tokens only grow, events are consistent, one
 * leader stays once the faults end, and without faults leadership does not move.
 *
 * <p>There are 100,000 schedules with one log per partition, and as many with several. Every build runs the first 500
 * and 150, {@code -Pproofs} all. Another 1,000 restore snapshots of running members, and in 16,000 members know more or
 * fewer roles. {@code -Dneli.schedules=N} runs another number of each, {@code -Dneli.seed=N} one more, with its trace.
 *
 * <p>Not simulated: Kafka's clients, and how work begins and ends within a term; the loss of two of three logs, after
 * which nobody could lead.
 */
class ElectionSimulationTest {

    /** Schedules with consecutive seeds, of which every build runs the first. */
    private enum Series {
        ONE_LOG(0, 100_000, 500, 3),
        SEVERAL_LOGS(Kind.FIRST_QUORUM, 100_000, 150, 2),
        /** Twins lead side by side for a heartbeat and a round trip at most. */
        TWINS(Kind.FIRST_TWINS, 1_000, 30, 1),
        /** Members that know more or fewer roles lead them, and one with other roles stops none. */
        ROLES(Kind.FIRST_ROLES, 16_000, 50, 5);

        private final long seed;
        private final int schedules;
        private final int first;
        /** How many terms each schedule has on average, at least. */
        private final int acquisitions;

        Series(long seed, int schedules, int first, int acquisitions) {
            this.seed = seed;
            this.schedules = Integer.getInteger("neli.schedules", schedules);
            this.first = Math.min(first, this.schedules);
            this.acquisitions = acquisitions;
        }

        private Tally run(int from, int to) {
            Tally tally = LongStream.range(seed + from, seed + to)
                    .parallel()
                    .collect(Tally::new, (sum, each) -> sum.add(ElectionSimulationTest.run(each)), Tally::add);
            assertThat(tally.of("acquired"))
                    .as("a simulation in which something happens")
                    .isGreaterThanOrEqualTo(acquisitions * (to - from));
            return tally;
        }
    }

    @EnabledIfSystemProperty(named = "neli.seed", matches = ".+")
    @Test
    void one_seed_with_its_trace() {
        new Schedule(Long.getLong("neli.seed"), System.out::println).run();
    }

    @ParameterizedTest
    @EnumSource
    void never_two_leaders_and_soon_one_that_stays(Series series) {
        series.run(0, series.first);
    }

    @Tag("proof")
    @Tag("search")
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ROLES")
    void never_two_leaders_and_soon_one_that_stays_in_many_more_schedules(Series series) {
        Tally tally = series.run(series.first, series.schedules);
        if (series == Series.TWINS) {
            assertThat(tally.of("twins that both lead")).isPositive();
            assertThat(tally.of("renewed")).isGreaterThanOrEqualTo(series.schedules);
        }
    }

    /** For each schedule, these take three times as long as the others. */
    @Tag("proof")
    @Test
    void never_two_leaders_of_one_role_in_many_more_schedules() {
        Series.ROLES.run(Series.ROLES.first, Series.ROLES.schedules);
    }

    /** Ten seeds in a row cover every kind but those of twins and roles. */
    @Test
    void a_seed_replays_exactly() {
        for (long seed = 0; seed < 10; seed++) {
            assertThat(traceOf(seed)).isEqualTo(traceOf(seed));
            assertThat(traceOf(Kind.FIRST_QUORUM + seed)).isEqualTo(traceOf(Kind.FIRST_QUORUM + seed));
        }
    }

    private static Tally run(long seed) {
        try {
            return new Schedule(seed, null).run();
        } catch (RuntimeException e) {
            return fail(report(seed, e), e);
        }
    }

    /** Ends with the last lines of the trace. */
    private static String report(long seed, RuntimeException failure) {
        List<String> trace = traceOf(seed);
        List<String> end = trace.subList(Math.max(0, trace.size() - 40), trace.size());
        return """
                seed %d: %s
                replay: ./mvnw -pl neli-core -am test -Dtest=ElectionSimulationTest#one_seed* \
                -Dsurefire.failIfNoSpecifiedTests=false -Dneli.seed=%d
                %s"""
                .formatted(seed, failure.getMessage(), seed, String.join("\n", end));
    }

    private static List<String> traceOf(long seed) {
        List<String> lines = new ArrayList<>();
        try {
            new Schedule(seed, lines::add).run();
        } catch (RuntimeException e) {
            lines.add(String.valueOf(e.getMessage()));
        }
        return lines;
    }
}
