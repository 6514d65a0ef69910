package io.neli.bench.faults;

import java.util.List;

/**
 * The outcome of the faults of one seed, or of a whole round of them if the seed is 0.
 *
 * @param faults the names of their kinds
 * @param text the faults as they were drawn
 * @param obstacle why it was not run; empty if it was
 * @param millis how long it took
 * @param elections how often leadership was acquired
 * @param failovers the times without a leader, in milliseconds
 * @param recoveryMillis from the end of the last fault to a leader
 * @param staleWrites refused by the register
 * @param relaxed what guarantees.md permits, and what would otherwise be a violation
 */
record Outcome(
        long seed,
        String arrangement,
        List<String> faults,
        String text,
        String obstacle,
        long millis,
        int elections,
        int fences,
        List<Double> failovers,
        double recoveryMillis,
        long bumps,
        long writes,
        long staleWrites,
        long lateWrites,
        long moreThreads,
        long moreDescriptors,
        long moreHeap,
        List<Violation> violations,
        List<Violation> relaxed) {

    boolean isRound() {
        return seed == 0;
    }
}
