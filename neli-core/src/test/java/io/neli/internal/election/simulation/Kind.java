package io.neli.internal.election.simulation;

/** What a schedule is about. */
enum Kind {
    /** Anything goes wrong, then nothing does: one leader must be found, and must stay. */
    FAULTS,
    /** Nothing goes wrong: members come and go, and leadership does not move. */
    CALM,
    /** The settled leader leaves or crashes, once: there is one change of leader, and its cost is bounded. */
    DEPARTURE,
    /** The settled leader is only slow, and answers: it keeps its term. */
    SILENCE,
    /** A member starts while one leads that it cannot know of: it waits for the longest lease it has seen. */
    LATECOMER,
    /** Non-exclusive mode: leaders overlap for a lease at most, and a departure that is no crash makes no gap. */
    NON_EXCLUSIVE;

    /** Most schedules are about faults; the other kinds are cheap and narrow. */
    static Kind of(long seed) {
        return switch ((int) Math.floorMod(seed, 10L)) {
            case 5 -> LATECOMER;
            case 6 -> NON_EXCLUSIVE;
            case 7 -> CALM;
            case 8 -> DEPARTURE;
            case 9 -> SILENCE;
            default -> FAULTS;
        };
    }
}
