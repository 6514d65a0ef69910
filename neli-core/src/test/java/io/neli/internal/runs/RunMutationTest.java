package io.neli.internal.runs;

import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

import io.neli.internal.mutants.SourceMutant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests that the simulation detects broken rules: for each of these, some schedule must fail. */
class RunMutationTest {

    /** The number of schedules that a mutant may survive. */
    private static final int MOST_SCHEDULES = 20_000;

    private static final List<SourceMutant> MUTANTS = List.of(
            mutant(
                    "a run is recorded before it begins",
                    "JobTerm",
                    "actions.add(write()); return actions; } /** The run has ended",
                    "actions.add(write()); step = Step.RUNNING; last = pending;"
                            + " actions.add(new RunAction.Begin(begun.at(), RunKind.ON_TIME));"
                            + " return actions; } /** The run has ended"),
            mutant("no run begins after the term", "JobTerm", "over = true;", ""),
            mutant(
                    "the newest due time counts, whoever wrote it",
                    "RunRecord",
                    "Comparator.comparing(RunRecord::due).thenComparing(RunRecord::phase)"
                            + ".thenComparingLong(RunRecord::token)",
                    "Comparator.comparing(RunRecord::token).thenComparing(RunRecord::due)"
                            + ".thenComparing(RunRecord::phase)"),
            mutant(
                    "of a due time, the furthest phase counts",
                    "RunRecord",
                    ".thenComparing(RunRecord::phase).thenComparingLong(RunRecord::token)",
                    ".thenComparingLong(RunRecord::token).thenComparing(RunRecord::phase)"),
            mutant(
                    "a term writes under its own key",
                    "JobTerm",
                    "new RunKey(job.name(), token, attempt)",
                    "new RunKey(job.name(), 0, 0)"),
            mutant(
                    "an attempt writes under its own key",
                    "JobTerm",
                    "new RunKey(job.name(), token, attempt)",
                    "new RunKey(job.name(), token, 0)"),
            mutant(
                    "what was read is written before it is deleted",
                    "JobTerm",
                    "step = Step.CARRYING; actions.add(write()); return actions;",
                    "step = Step.CARRYING; actions.add(new RunAction.Forget(former)); former = Set.of();"
                            + " actions.add(write()); return actions;"),
            mutant(
                    "the record of a run that may still end is not deleted",
                    "JobTerm",
                    "open = newest.filter(known -> known.phase() == Phase.BEGUN).map(RunRecord::due);",
                    "open = Optional.empty();"),
            mutant(
                    "a job that has no record gets one",
                    "JobTerm",
                    "Instant since = other.map(",
                    "if (other.isEmpty()) { return new RunRecord(job.name(), now.plusSeconds(20), null, null, false,"
                            + " job.schedule().text(), member, token); } Instant since = other.map("),
            mutant(
                    "a run that did not end is repeated",
                    "DueTimes",
                    "last.phase() == Phase.BEGUN && guarantee == Guarantee.AT_LEAST_ONCE;",
                    "false;"),
            mutant(
                    "or is not",
                    "DueTimes",
                    "last.phase() == Phase.BEGUN && guarantee == Guarantee.AT_LEAST_ONCE;",
                    "last.phase() == Phase.BEGUN;"),
            mutant(
                    "the end of a run is recorded",
                    "JobTerm",
                    "pending = Objects.requireNonNull(last).ended(now, succeeded);",
                    "pending = last;"));

    private static SourceMutant mutant(String rule, String file, String original, String broken) {
        return new SourceMutant("io.neli.internal.runs", rule, file, original, broken);
    }

    @Test
    void one_broken_rule_is_seen_and_the_others_fit_to_the_source() {
        MUTANTS.forEach(SourceMutant::source);
        assertThat(survives(MUTANTS.get(0))).isFalse();
    }

    @Tag("proof")
    @Tag("search")
    @Test
    void each_broken_rule_is_seen() {
        assertThat(MUTANTS.parallelStream()
                        .filter(RunMutationTest::survives)
                        .map(SourceMutant::rule)
                        .toList())
                .as("not seen")
                .isEmpty();
    }

    private static boolean survives(SourceMutant mutant) {
        LongFunction<@Nullable String> simulation = mutant.simulate(Seed.class);
        return LongStream.range(0, MOST_SCHEDULES).allMatch(seed -> simulation.apply(seed) == null);
    }

    /** Runs a seed. */
    static final class Seed implements LongFunction<@Nullable String> {

        @Override
        public @Nullable String apply(long seed) {
            return new SimulatedRuns(seed).run();
        }
    }
}
