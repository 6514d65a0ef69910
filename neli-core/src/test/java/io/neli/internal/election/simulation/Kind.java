package io.neli.internal.election.simulation;

/** The kinds of schedules. Most are about faults; the other kinds are cheap and narrow. */
enum Kind {
    /**
     * Anything may go wrong, then nothing does: one leader must be found, and must stay. One of several logs may never
     * come back, and members with another quorum lead with some of them.
     */
    FAULTS,
    /** Nothing goes wrong, but one of several logs may be down: members come and go, and leadership does not move. */
    CALM,
    /**
     * The settled leader leaves or crashes, once, and one of several logs may be down: there is one change of leader,
     * and its cost is bounded.
     */
    DEPARTURE,
    /** The settled leader is only slow, and answers, and one of several logs may be down: it must keep its term. */
    SILENCE,
    /** A member starts while one leads that it cannot know of: it must wait for the longest lease it has seen. */
    LATECOMER,
    /** Non-exclusive mode: leaders overlap for at most a lease, and a departure without a crash leaves no gap. */
    NON_EXCLUSIVE,
    /** One of several logs crashes, stalls, is lost or is cut off from the leader: it continues to lead. */
    OUTAGE,
    /** One of three logs was replaced: some members reach the old one, others the new one. */
    REPLACEMENT,
    /** A snapshot of a running member is restored next to it: both continue, as different members. */
    TWINS,
    /**
     * Members that know more or fewer roles, and one with other roles. Anything goes wrong, or they are restarted one
     * by one.
     */
    ROLES;

    /** Schedules from this seed on have several logs per partition. */
    static final long FIRST_QUORUM = 1_000_000;

    /** Schedules from this seed on have twins, with one log or several. */
    static final long FIRST_TWINS = 2_000_000;

    /** Schedules from this seed on have roles, alternately with one log and with several. */
    static final long FIRST_ROLES = 3_000_000;

    static Kind of(long seed) {
        if (seed >= FIRST_TWINS) {
            return seed >= FIRST_ROLES ? ROLES : TWINS;
        }
        boolean severalLogs = hasSeveralLogs(seed);
        return switch ((int) Math.floorMod(seed, 10L)) {
            case 3, 4 -> severalLogs ? REPLACEMENT : FAULTS;
            case 5 -> severalLogs ? OUTAGE : LATECOMER;
            case 6 -> NON_EXCLUSIVE;
            case 7 -> CALM;
            case 8 -> DEPARTURE;
            case 9 -> SILENCE;
            default -> FAULTS;
        };
    }

    /** Whether each partition has several logs. Twins draw that instead. */
    static boolean hasSeveralLogs(long seed) {
        return seed >= FIRST_ROLES ? seed % 2 != 0 : seed >= FIRST_QUORUM;
    }
}
