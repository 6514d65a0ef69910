package io.neli.internal.election.simulation;

import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.neli.internal.election.simulation.Mutants.Mutant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the simulation detects broken rules: for each of the {@link Mutants}, some schedule must fail. The source
 * is changed, compiled in memory, and simulated instead of the original.
 */
class MutationSimulationTest {

    /** The number of schedules of its kind that a mutant may survive. */
    private static final int MOST_SCHEDULES = 5_000;

    /** Compiles only those of every build; the others must still match the source. */
    @Test
    void two_broken_rules_are_seen() {
        Mutants.ALL.forEach(mutant -> mutant.change().source());
        assertAllSeen(Mutants.ALL.subList(0, Mutants.QUICK).stream());
    }

    @Tag("proof")
    @Tag("search")
    @Test
    void each_broken_rule_is_seen() {
        assertAllSeen(Mutants.ALL.parallelStream());
    }

    private static void assertAllSeen(Stream<Mutant> mutants) {
        assertThat(mutants.filter(MutationSimulationTest::survives).toList())
                .as("not seen")
                .isEmpty();
    }

    private static boolean survives(Mutant mutant) {
        LongFunction<@Nullable String> simulation = mutant.change().simulate(SeedRun.class);
        return LongStream.iterate(0, seed -> seed + 1)
                .filter(seed -> Kind.of(seed) == mutant.kind() && Kind.hasSeveralLogs(seed) == mutant.severalLogs())
                .limit(MOST_SCHEDULES)
                .allMatch(seed -> simulation.apply(seed) == null);
    }

    /** Runs one seed; returns why it failed, or null. */
    static final class SeedRun implements LongFunction<@Nullable String> {

        @Override
        public @Nullable String apply(long seed) {
            try {
                new Schedule(seed, null).run();
                return null;
            } catch (RuntimeException e) {
                return e.toString();
            }
        }
    }
}
