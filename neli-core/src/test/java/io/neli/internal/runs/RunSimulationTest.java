package io.neli.internal.runs;

import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

import io.neli.internal.mutants.SourceMutant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No run is missed, begun twice or repeated after its end was recorded, in 1,000 schedules, or 100,000 with {@code
 * -Pproofs}. Schedules are numbered: even ones have {@code AT_LEAST_ONCE}, odd ones {@code AT_MOST_ONCE}. For each
 * of {@link #MUTANTS}, some schedule must fail, which shows that the simulation detects broken rules.
 */
class RunSimulationTest {

    private static final int FIRST = 1_000;
    private static final int ALL = Integer.getInteger("neli.schedules", 100_000);

    /** The number of schedules that a mutant may survive. */
    private static final int MOST_SCHEDULES = 20_000;

    /** Each names its class, the rule, and what is changed. */
    private static final List<SourceMutant> MUTANTS = SourceMutant.split(
                    """
            JobTerm: a run is recorded before it begins
            - actions.add(write()); return actions; } /** The run has ended
            + actions.add(write()); step = Step.RUNNING; last = pending; \
            actions.add(begin); \
            return actions; } /** The run has ended
            JobTerm: no run begins after the term
            - over = true;
            +
            RunRecord: the newest due time counts, whoever wrote it
            - Comparator.comparing(RunRecord::due).thenComparing(RunRecord::phase).thenComparingLong(RunRecord::token)
            + Comparator.comparing(RunRecord::token).thenComparing(RunRecord::due).thenComparing(RunRecord::phase)
            RunRecord: of a due time, the furthest phase counts
            - .thenComparing(RunRecord::phase).thenComparingLong(RunRecord::token)
            + .thenComparingLong(RunRecord::token).thenComparing(RunRecord::phase)
            JobTerm: a term writes under its own key
            - new RunKey(job.name(), token, attempt)
            + new RunKey(job.name(), 0, 0)
            JobTerm: an attempt writes under its own key
            - new RunKey(job.name(), token, attempt)
            + new RunKey(job.name(), token, 0)
            JobTerm: what was read is written before it is deleted
            - step = Step.COPYING; actions.add(write()); return actions;
            + step = Step.COPYING; actions.add(new RunAction.Forget(formerKeys)); formerKeys = Set.of(); \
            actions.add(write()); return actions;
            JobTerm: the record of a run that may still end is not deleted
            - unended = newest.filter(known -> known.phase() == Phase.BEGUN).map(RunRecord::due);
            + unended = Optional.empty();
            JobTerm: a job that has no record gets one
            - Instant since = other.map(
            + if (other.isEmpty()) { return new RunRecord(job.name(), readAt.plusSeconds(20), null, null, false, \
            job.schedule().text(), member, token); } Instant since = other.map(
            DueTimes: a run of another schedule is repeated
            - if (!isOfSchedule(last))
            + if (false)
            JobTerm: a further leader too repeats it
            - repeats ? known.schedule() : job.schedule().text()
            + job.schedule().text()
            JobTerm: then the job starts over
            - if (!counts(last))
            + if (false)
            DueTimes: a run that did not end is repeated
            - last.phase() == Phase.BEGUN && job.guarantee() == Guarantee.AT_LEAST_ONCE;
            + false;
            DueTimes: or is not
            - last.phase() == Phase.BEGUN && job.guarantee() == Guarantee.AT_LEAST_ONCE;
            + last.phase() == Phase.BEGUN;
            JobTerm: the end of a run is recorded
            - pending = Objects.requireNonNull(last).ended(now, outcome == RunOutcome.SUCCEEDED);
            + pending = last;
            """)
            .stream()
            .map(each -> SourceMutant.of("io.neli.internal.runs", each))
            .toList();

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
                        .filter(RunSimulationTest::survives)
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
