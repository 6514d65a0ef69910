package io.neli.protocol.simulation;

import java.util.List;

/**
 * What one schedule's world is like, drawn from its seed. Durations are in nanoseconds.
 *
 * @param leases which leases the members are set to
 * @param lookback how many records before the log's end a reader begins; negative: further back than any lease
 * @param loss how many of the records that are sent never arrive
 * @param slowReads how often a reader takes only a part of what is there
 * @param slowest the mean of the longer delays
 * @param inOrder whether one member's records arrive in the order of sending
 * @param copies how often an old record is appended again
 * @param forgeries whether records come from writers that are not members
 * @param drift how far a clock's rate is from true, in parts per million
 * @param clocks what happens to clocks
 * @param takeover whether others than the group's owner bid
 * @param adversarial assignments are made up, instead of coming from a group
 * @param oneStaysCutOff when the faults end, one member still does not reach the log, though it reaches the group
 */
record Conditions(
        int partitions,
        List<Long> leases,
        int lookback,
        double loss,
        double slowReads,
        long slowest,
        boolean inOrder,
        double copies,
        boolean forgeries,
        long drift,
        Clocks clocks,
        boolean takeover,
        boolean adversarial,
        boolean oneStaysCutOff) {

    static final long MILLISECOND = 1_000_000;

    enum Clocks {
        STEADY,
        /** Wall clocks are set forward and back. */
        WALL_CLOCK_JUMPS,
        /** Machines are suspended: the monotonic clock stands still, the wall clock goes on. */
        SUSPENSIONS
    }

    static Conditions drawn(Chance chance) {
        List<Long> leases = chance.oneOf(List.of(
                List.of(500L),
                List.of(500L),
                List.of(200L),
                List.of(500L, 900L),
                List.of(200L, 1000L),
                List.of(250L, 2000L)));
        boolean adversarial = chance.happens(0.3);
        boolean takeover = adversarial || chance.happens(0.8);
        // What is not read is covered for the longest lease seen; so readers in a mixed group look back further than
        // any.
        int lookback = leases.size() > 1 ? -1 : (int) chance.oneOf(-1L, 0L, 3L, 50L, 10_000L);
        return new Conditions(
                (int) chance.oneOf(1L, 1L, 1L, 3L),
                leases.stream().map(millis -> millis * MILLISECOND).toList(),
                lookback,
                chance.oneOf(0, 0, 0.05, 0.2),
                chance.oneOf(0, 0, 0.1),
                chance.oneOf(5L, 20L, 200L, 1000L) * MILLISECOND,
                chance.happens(0.7),
                chance.oneOf(0, 0, 0.03),
                chance.happens(0.25),
                chance.oneOf(0L, 4_500L),
                chance.oneOf(List.of(Clocks.values())),
                takeover,
                adversarial,
                takeover && chance.happens(0.15));
    }

    long longestLease() {
        return leases.get(leases.size() - 1);
    }
}
