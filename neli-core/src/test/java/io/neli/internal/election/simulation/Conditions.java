package io.neli.internal.election.simulation;

import java.util.List;

import io.neli.Mode;

/**
 * What one schedule's world is like, drawn from its seed. Durations are in nanoseconds.
 *
 * @param mode whether at most one leads
 * @param quorum on how many logs a partition lies
 * @param members how many there are at most; more than a few are a crowd, and all of them start
 * @param leases which leases the members are set to
 * @param rolling the members that start begin with the first lease; those that start in their place have the last
 * @param lookback how many records before the log's end a reader begins; negative: further back than any lease
 * @param goesBack whether a reader that finds too little there goes further back; if not, there are too many foreign
 *     records
 * @param loss how many of the records that are sent never arrive
 * @param slowReads how often a reader takes only a part of what is there
 * @param slowest the mean of the longer delays
 * @param inOrder whether one member's records arrive in the order of sending
 * @param copies how often an old record is appended again; if always, each record is, once
 * @param forgeries whether records come from writers that are not members
 * @param cuts whether records are deleted before they are read, the log loses its end, or the topic is created again
 * @param drift how far a clock's rate is from true, in parts per million
 * @param clocks what happens to clocks
 * @param adversarial assignments are made up, instead of coming from a group
 * @param oneStaysCutOff when the faults end, one member still does not reach the log, though it reaches the group
 * @param patience how long it lasts, in leases: the faults, and the quiet after the last change
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
        /** Machines are suspended: the monotonic clock stops, the wall clock goes on. */
        SUSPENSIONS
    }

    record Patience(int faults, int rest) {
        /** Most of what goes wrong goes wrong soon; a few are watched for long. */
        private static Patience drawn(Chance chance) {
            return chance.happens(0.1) ? new Patience(30, 22) : new Patience(10, 3);
        }

        private Patience shortened() {
            return new Patience(Math.min(faults, 12), Math.min(rest, 12));
        }
    }

    private static List<Long> nanos(List<Long> millis) {
        return millis.stream().map(each -> each * MILLISECOND).toList();
    }

    static Conditions ofFaults(Chance chance, Mode mode) {
        List<Long> leases = chance.oneOf(List.of(
                List.of(500L),
                List.of(500L),
                List.of(200L),
                List.of(500L, 900L),
                List.of(200L, 1000L),
                List.of(250L, 2000L)));
        boolean adversarial = chance.happens(0.3);
        return new Conditions(
                mode,
                (int) chance.oneOf(1L, 1L, 1L, 3L),
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

    /** Several partitions, each with a role of its own. */
    static Conditions ofRoles(Chance chance) {
        int partitions = (int) chance.oneOf(2L, 3L, 4L);
        List<Long> leases = chance.oneOf(List.of(List.of(200L), List.of(300L, 900L)));
        Conditions drawn = chance.happens(0.7)
                ? ofFaults(chance, Mode.EXCLUSIVE)
                : ofCalm(chance, Mode.EXCLUSIVE, leases, 10_000, partitions); // finds out who leads before it leads
        return drawn.withPartitions(partitions);
    }

    static Conditions ofLatecomer(Chance chance) {
        return ofCalm(chance, Mode.EXCLUSIVE, List.of(200L, 2000L), chance.oneOf(0L, 0L, 2L, 3L, 5L), 1);
    }

    /** Nothing is lost and nothing takes long. */
    static Conditions ofCalm(Chance chance, Mode mode, long... partitions) {
        List<Long> leases = chance.oneOf(
                List.of(List.of(500L), List.of(500L), List.of(200L), List.of(300L, 900L), List.of(250L, 2000L)));
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

    /** Members with different leases must be able to learn of the longest in any log that they read. */
    static Conditions ofReplacement(Chance chance) {
        boolean mixed = chance.happens(0.5);
        List<Long> leases = mixed ? List.of(200L, 2000L) : List.of(chance.oneOf(200L, 500L));
        long lookback = mixed ? 10_000 : chance.oneOf(-1L, 0L, 3L);
        return ofCalm(chance, Mode.EXCLUSIVE, leases, lookback, 1).withLogs(1, 3);
    }

    /**
     * The same, but that each partition lies on several logs, and that there are mostly few of both: each log costs
     * time.
     */
    Conditions onSeveralLogs(Chance chance) {
        return withLogs(partitions == 1 || chance.happens(0.7) ? 1 : 2, chance.happens(0.03) ? 5 : 3);
    }

    private Conditions withPartitions(int newPartitions) {
        return copy(newPartitions, quorum, members, goesBack, patience);
    }

    Conditions withLogs(int newPartitions, int newQuorum) {
        return copy(
                newPartitions, newQuorum, FEW, true, patience.shortened()); // goes back until it knows which log it is
    }

    private Conditions copy(
            int newPartitions, int newQuorum, int newMembers, boolean newGoesBack, Patience newPatience) {
        return new Conditions(
                mode,
                newPartitions,
                newQuorum,
                newMembers,
                leases,
                rolling,
                lookback,
                newGoesBack,
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
                newPatience);
    }

    boolean isCrowd() {
        return members >= CROWD;
    }

    long longestLease() {
        return leases.get(leases.size() - 1);
    }
}
