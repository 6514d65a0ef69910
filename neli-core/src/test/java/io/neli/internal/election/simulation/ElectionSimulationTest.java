package io.neli.internal.election.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Runs schedules with the real election. There are never two leaders, tokens only grow, events are consistent, one
 * leader stays once the faults end, and without faults leadership does not move.
 *
 * <p>There are 100,000 schedules with one log per partition, and as many with several. Every build runs the first 500
 * and 150, {@code -Pproofs} all. Another 1,000 restore snapshots of running members, and in 16,000 members know more or
 * fewer roles. {@code -Dneli.schedules=N} runs another number of each, {@code -Dneli.seed=N} only one, with its trace.
 *
 * <p>Not simulated: Kafka's clients, and how work begins and ends within a term; the loss of two of three logs, after
 * which nobody could lead.
 */
class ElectionSimulationTest {

    private static final int SCHEDULES = Integer.getInteger("neli.schedules", 100_000);
    private static final int FIRST = Math.min(500, SCHEDULES);
    private static final int TWINS = Integer.getInteger("neli.schedules", 1_000);
    private static final int FIRST_TWINS = Math.min(30, TWINS);
    private static final int ROLES = Integer.getInteger("neli.schedules", 16_000);
    private static final int FIRST_ROLES = Math.min(50, ROLES);
    private static final int FIRST_QUORUM = Math.min(150, SCHEDULES);

    @Test
    void never_two_leaders_and_soon_one_that_stays() {
        Long only = Long.getLong("neli.seed");
        if (only != null) {
            new Schedule(only, System.out::println).run();
        } else {
            runAll(0, FIRST, 3);
        }
    }

    @Test
    void never_two_leaders_with_several_logs() {
        if (Long.getLong("neli.seed") == null) {
            runAll(Kind.FIRST_QUORUM, Kind.FIRST_QUORUM + FIRST_QUORUM, 2);
        }
    }

    @Tag("proof")
    @Tag("search")
    @Test
    void never_two_leaders_and_soon_one_that_stays_in_many_more_schedules() {
        if (Long.getLong("neli.seed") == null) {
            runAll(FIRST, SCHEDULES, 3);
        }
    }

    @Tag("proof")
    @Tag("search")
    @Test
    void never_two_leaders_with_several_logs_in_many_more_schedules() {
        if (Long.getLong("neli.seed") == null) {
            runAll(Kind.FIRST_QUORUM + FIRST_QUORUM, Kind.FIRST_QUORUM + SCHEDULES, 2);
        }
    }

    @Test
    void twins_lead_side_by_side_for_a_heartbeat_and_a_round_trip_at_most() {
        if (Long.getLong("neli.seed") == null) {
            runAll(Kind.FIRST_TWINS, Kind.FIRST_TWINS + FIRST_TWINS, 1);
        }
    }

    @Tag("proof")
    @Tag("search")
    @Test
    void twins_lead_side_by_side_no_longer_in_many_more_schedules() {
        if (Long.getLong("neli.seed") == null) {
            Tally tally = runAll(Kind.FIRST_TWINS + FIRST_TWINS, Kind.FIRST_TWINS + TWINS, 1);
            assertThat(tally.of("twins that both lead")).isPositive();
            assertThat(tally.of("renewed")).isGreaterThanOrEqualTo(TWINS);
        }
    }

    @Test
    void members_that_know_more_or_fewer_roles_lead_them_and_one_with_other_roles_stops_none() {
        if (Long.getLong("neli.seed") == null) {
            runAll(Kind.FIRST_ROLES, Kind.FIRST_ROLES + FIRST_ROLES, 5);
        }
    }

    @Tag("proof")
    @Tag("search")
    @Test
    void members_that_know_more_or_fewer_roles_lead_them_in_many_more_schedules() {
        if (Long.getLong("neli.seed") == null) {
            runAll(Kind.FIRST_ROLES + FIRST_ROLES, Kind.FIRST_ROLES + ROLES, 5);
        }
    }

    /** Requires at least this many acquisitions per schedule. */
    private static Tally runAll(long from, long to, int acquisitions) {
        Tally tally = LongStream.range(from, to)
                .parallel()
                .collect(Tally::new, (sum, seed) -> sum.add(run(seed)), Tally::add);
        assertThat(tally.of("acquired"))
                .as("a simulation in which something happens")
                .isGreaterThanOrEqualTo(acquisitions * (to - from));
        return tally;
    }

    /** Ten seeds in a row cover every kind. */
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

    private static String report(long seed, RuntimeException failure) {
        return """
                seed %d: %s
                replay: ./mvnw -pl neli-core -am test -Dtest=ElectionSimulationTest \
                -Dsurefire.failIfNoSpecifiedTests=false -Dneli.seed=%d
                %s"""
                .formatted(seed, failure.getMessage(), seed, traceOf(seed));
    }

    /** The last lines of the trace. */
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
