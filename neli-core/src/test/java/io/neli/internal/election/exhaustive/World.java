package io.neli.internal.election.exhaustive;

/**
 * One state of a small world, as numbers that stand for values, see {@link LogTree} and {@link Cast}. Packed into two
 * longs without loss, so that equal keys are equal worlds.
 *
 * @param tick the time
 * @param acquired the largest token acquired; -1 if none
 * @param faults how many are left
 * @param assignments how many are left
 * @param requests how many are left
 * @param log the contents of the logs
 * @param a the first member
 * @param b the second
 * @param c the third; 0 if there is none
 */
record World(int tick, int acquired, int faults, int assignments, int requests, int log, int a, int b, int c) {

    long high() {
        long counts = (long) Fits.in(tick, 6) << 6 | Fits.in(acquired + 1, 6);
        counts = ((counts << 2 | faults) << 2 | assignments) << 2 | requests;
        return (counts << 22 | Fits.in(log, 22)) << 24 | Fits.in(c, 24);
    }

    long low() {
        return (long) a << 32 | b;
    }

    static World of(long high, long low) {
        int counts = (int) (high >>> 46);
        return new World(
                counts >>> 12,
                (counts >>> 6 & 63) - 1,
                counts >>> 4 & 3,
                counts >>> 2 & 3,
                counts & 3,
                (int) (high >>> 24) & 0x3F_FFFF,
                (int) (low >>> 32),
                (int) low,
                (int) high & 0xFF_FFFF);
    }

    int member(int who) {
        return who == 0 ? a : who == 1 ? b : c;
    }

    World withMember(int who, int number) {
        int newA = who == 0 ? number : a;
        int newB = who == 1 ? number : b;
        int newC = who == 2 ? number : c;
        return new World(tick, acquired, faults, assignments, requests, log, newA, newB, newC);
    }

    World withAcquired(int token) {
        return new World(tick, token, faults, assignments, requests, log, a, b, c);
    }

    World withLog(int number) {
        return new World(tick, acquired, faults, assignments, requests, number, a, b, c);
    }

    World ticked() {
        return new World(tick + 1, acquired, faults, assignments, requests, log, a, b, c);
    }

    World withLeft(int nowFaults, int nowAssignments, int nowRequests) {
        return new World(tick, acquired, nowFaults, nowAssignments, nowRequests, log, a, b, c);
    }
}
