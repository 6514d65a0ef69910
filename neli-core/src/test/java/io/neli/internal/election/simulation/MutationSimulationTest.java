package io.neli.internal.election.simulation;

import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.neli.internal.election.simulation.MutatedClasses.Mutant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The simulation sees: each of the rules in {@link Mutants} is broken on purpose, and some schedule must fail. The source is changed,
 * compiled in memory, and simulated in place of the original.
 */
class MutationSimulationTest {

    /** How many schedules of its kind a mutant may survive. */
    private static final int MOST_SCHEDULES = 5_000;

    /** The outcome of a mutant: it was caught if there is a failure. */
    private record Verdict(Mutant mutant, int schedules, @Nullable String failure) {
        @Override
        public String toString() {
            String why =
                    failure == null ? "NOT CAUGHT" : failure.lines().findFirst().orElse(failure);
            return "%-66s %-13s %4d  %s".formatted(mutant.rule(), mutant.kind(), schedules, shortened(why));
        }

        private static String shortened(String text) {
            return text.length() <= 100 ? text : text.substring(0, 100) + "...";
        }
    }

    /** Compiles only those of every build; the others must still fit to the source. */
    @Test
    void two_broken_rules_are_seen() {
        Mutants.OTHERS.forEach(MutatedClasses::source);
        assertAllSeen(Mutants.QUICK.stream());
    }

    @Tag("proof")
    @Tag("search")
    @Test
    void each_broken_rule_is_seen() {
        assertAllSeen(Mutants.OTHERS.parallelStream());
    }

    private static void assertAllSeen(Stream<Mutant> mutants) {
        List<Verdict> verdicts = mutants.map(MutationSimulationTest::judge).toList();
        int schedules = verdicts.stream().mapToInt(Verdict::schedules).sum();
        System.out.printf("schedules: %d, mutants: %d%n", schedules, verdicts.size());
        verdicts.forEach(System.out::println);
        assertThat(verdicts).allMatch(verdict -> verdict.failure() != null);
    }

    private static Verdict judge(Mutant mutant) {
        LongFunction<@Nullable String> simulation = MutatedClasses.simulate(mutant);
        long[] seeds = LongStream.iterate(mutant.kind().firstSeed(), seed -> seed + 1)
                .filter(seed -> Kind.of(seed) == mutant.kind())
                .limit(MOST_SCHEDULES)
                .toArray();
        for (int i = 0; i < seeds.length; i++) {
            String failure = simulation.apply(seeds[i]);
            if (failure != null) {
                return new Verdict(mutant, i + 1, failure);
            }
        }
        return new Verdict(mutant, seeds.length, null);
    }
}
