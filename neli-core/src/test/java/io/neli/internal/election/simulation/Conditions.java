package io.neli.internal.election.simulation;

import java.util.List;

import io.neli.Mode;

/**
 * The conditions in one schedule's world, drawn from its seed. Durations are in nanoseconds.
 *
 * @param mode whether at most one leads
 * @param quorum the number of logs of a partition
 * @param members how many there are at most; if more than a few, they are a crowd and all start
 * @param leases the leases that members are configured with
 * @param rolling whether members are replaced one by one: the first have the first lease, their successors the last
 * @param lookback how many records before the log's end a reader begins; negative: further back than any lease
 * @param goesBack whether a reader that finds too little there goes further back; if not, the log has too many foreign
 *     records
 * @param loss how many of the records that are sent never arrive
 * @param slowReads how often a reader takes only a part of the available records
 * @param slowest the mean of the longer delays
 * @param inOrder whether one member's records arrive in the order of sending
 * @param copies how often an old record is appended again; if always, each record once
 * @param forgeries whether records come from writers that are not members
 * @param cuts whether records are deleted before they are read, the log loses its end, or the topic is created again
 * @param drift the error of a clock's rate, in parts per million
 * @param clocks what happens to clocks
 * @param adversarial whether assignments are arbitrary instead of coming from a group
 * @param oneStaysCutOff whether, after the faults, one member still cannot reach the log although it reaches the group
 * @param patience how many leases the faults last, and the quiet after the last change
 */
record Conditions(
        Mode mode,
        int partitions,
        int quorum,
        int members,
        List<Long> leases,
        boolean rolling,
        int lookback,
        boolean goesBack,
        double loss,
        double slowReads,
        long slowest,
        boolean inOrder,
        double copies,
        boolean forgeries,
        boolean cuts,
        long drift,
        Clocks clocks,
        boolean adversarial,
        boolean oneStaysCutOff,
        Patience patience) {

    static final long MILLISECOND = 1_000_000;

    private static final int FEW = 6;
    private static final int CROWD = 12;

    enum Clocks {
        STEADY,
        /** Wall clocks are set forward and back. */
        WALL_CLOCK_JUMPS,
        /** Machines are suspended: the monotonic clock stops, but the wall clock continues. */
        SUSPENSIONS
    }

    record Patience(int faults, int rest) {
        /** Most failures occur early, so only a few schedules are watched for long. */
        private static Patience drawn(Chance chance) {
            return chance.happens(0.05) ? new Patience(30, 22) : new Patience(10, 3);
        }

        private Patience shortened() {
            return new Patience(Math.min(faults, 12), Math.min(rest, 12));
        }
    }

    private static List<Long> nanos(List<Long> millis) {
        return millis.stream().map(each -> each * MILLISECOND).toList();
    }

    static Conditions ofFaults(Chance chance, Mode mode, long... partitions) {
        List<Long> leases = chance.oneOf(List.of(
                List.of(500L),
                List.of(500L),
                List.of(200L),
                List.of(500L, 900L),
                List.of(200L, 1000L),
                List.of(300L, 2000L)));
        boolean adversarial = chance.happens(0.3);
        return new Conditions(
                mode,
                (int) chance.oneOf(partitions),
                1,
                chance.happens(0.04) ? CROWD : FEW,
                nanos(leases),
                chance.happens(0.3),
                (int) chance.oneOf(-1L, 0L, 0L, 3L, 50L, 10_000L),
                chance.happens(0.5),
                chance.oneOf(0, 0, 0.05, 0.2),
                chance.oneOf(0, 0, 0.1),
                chance.oneOf(5L, 20L, 200L, 1000L) * MILLISECOND,
                chance.happens(0.7),
                chance.oneOf(0, 0, 0.03, 0.03, 1),
                chance.happens(0.25),
                chance.happens(0.2),
                chance.oneOf(0L, 4_500L),
                chance.oneOf(List.of(Clocks.values())),
                adversarial,
                chance.happens(0.15),
                Patience.drawn(chance));
    }

    /** Several partitions, each with its own role. */
    static Conditions ofRoles(Chance chance) {
        int partitions = (int) chance.oneOf(2L, 3L, 4L);
        List<Long> leases = chance.oneOf(List.of(List.of(200L), List.of(300L, 900L)));
        return chance.happens(0.7)
                ? ofFaults(chance, Mode.EXCLUSIVE, partitions)
                : ofCalm(chance, Mode.EXCLUSIVE, leases, 10_000, partitions); // learns who leads before it leads
    }

    static Conditions ofLatecomer(Chance chance) {
        return ofCalm(chance, Mode.EXCLUSIVE, List.of(200L, 2000L), chance.oneOf(0L, 0L, 2L, 3L, 5L), 1);
    }

    /** Nothing is lost and nothing takes long. */
    static Conditions ofCalm(Chance chance, Mode mode, long... partitions) {
        List<Long> leases = chance.oneOf(
                List.of(List.of(500L), List.of(500L), List.of(200L), List.of(300L, 900L), List.of(300L, 2000L)));
        return ofCalm(chance, mode, leases, chance.oneOf(-1L, 0L, 3L, 10_000L), partitions);
    }

    private static Conditions ofCalm(Chance chance, Mode mode, List<Long> leases, long lookback, long... partitions) {
        return new Conditions(
                mode,
                (int) chance.oneOf(partitions),
                1,
                chance.happens(0.04) ? CROWD : FEW,
                nanos(leases),
                false,
                (int) lookback,
                false,
                0,
                0,
                10 * MILLISECOND,
                true,
                0,
                false,
                false,
                leases.size() > 1 ? 4_500L : 0,
                Clocks.STEADY,
                false,
                false,
                new Patience(0, 3));
    }

    /** Members with different leases must learn of the longest from any log that they read. */
    static Conditions ofReplacement(Chance chance) {
        boolean mixed = chance.happens(0.5);
        List<Long> leases = mixed ? List.of(300L, 2000L) : List.of(chance.oneOf(200L, 500L));
        long lookback = mixed ? 10_000 : chance.oneOf(-1L, 0L, 3L);
        return ofCalm(chance, Mode.EXCLUSIVE, leases, lookback, 1);
    }

    /**
     * The same conditions with several logs per partition, and mostly few partitions and logs, because each log costs
     * time.
     */
    Conditions onSeveralLogs(Chance chance) {
        return withLogs(partitions == 1 || chance.happens(0.7) ? 1 : 2, chance.happens(0.03) ? 5 : 3);
    }

    /** The same conditions with several logs. Their readers go back until they can identify each log. */
    Conditions withLogs(int newPartitions, int newQuorum) {
        return new Conditions(
                mode,
                newPartitions,
                newQuorum,
                FEW,
                leases,
                rolling,
                lookback,
                true,
                loss,
                slowReads,
                slowest,
                inOrder,
                copies,
                forgeries,
                cuts,
                drift,
                clocks,
                adversarial,
                oneStaysCutOff,
                patience.shortened());
    }

    boolean isCrowd() {
        return members >= CROWD;
    }

    long longestLease() {
        return leases.get(leases.size() - 1);
    }
}
