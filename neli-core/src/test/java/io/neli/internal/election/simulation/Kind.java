package io.neli.internal.election.simulation;

/** The kinds of schedules. */
enum Kind {
    /** Anything may go wrong, then nothing does: one leader must be found, and must stay. */
    FAULTS,
    /** Nothing goes wrong: members come and go, and leadership does not move. */
    CALM,
    /** The settled leader leaves or crashes, once: there is one change of leader, and its cost is bounded. */
    DEPARTURE,
    /** The settled leader is only slow, and answers: it must keep its term. */
    SILENCE,
    /** A member starts while one leads that it cannot know of: it must wait for the longest lease it has seen. */
    LATECOMER,
    /** Non-exclusive mode: leaders overlap for at most a lease, and a departure without a crash leaves no gap. */
    NON_EXCLUSIVE,
    /**
     * Several logs per partition. Anything goes wrong with members and logs, one log may never come back, and members
     * with another quorum lead with some of the logs.
     */
    QUORUM_FAULTS,
    /** Several logs; as CALM, even while one log is down. */
    QUORUM_CALM,
    /** Several logs; as DEPARTURE, even while one log is down. */
    QUORUM_DEPARTURE,
    /** Several logs; as SILENCE, even while one log is down. */
    QUORUM_SILENCE,
    /** Several logs, one of which crashes, stalls, is lost or is cut off from the leader: it continues to lead. */
    QUORUM_OUTAGE,
    /** Three logs, one of which was replaced: some members reach the old one, others the new one. */
    QUORUM_REPLACEMENT,
    /** Several logs; as NON_EXCLUSIVE. */
    QUORUM_NON_EXCLUSIVE,
    /**
     * One log or several. A snapshot of a running member is restored next to it: both continue, as different members.
     */
    TWINS,
    /**
     * Members that know more or fewer roles, and one with other roles. Anything goes wrong, or they are restarted one
     * by one.
     */
    ROLES,
    /** Several logs; as ROLES. */
    QUORUM_ROLES;

    /** Schedules from this seed on have several logs. */
    static final long FIRST_QUORUM = 1_000_000;

    /** Schedules from this seed on have twins. */
    static final long FIRST_TWINS = 2_000_000;

    /** Schedules from this seed on have roles, alternately with one log and with several. */
    static final long FIRST_ROLES = 3_000_000;

    /** The first seed that may be of this kind. */
    long firstSeed() {
        if (name().endsWith("ROLES")) {
            return FIRST_ROLES;
        }
        return this == TWINS ? FIRST_TWINS : name().startsWith("QUORUM") ? FIRST_QUORUM : 0;
    }

    /** Most schedules are about faults; the other kinds are cheap and narrow. */
    static Kind of(long seed) {
        if (seed >= FIRST_ROLES) {
            return seed % 2 == 0 ? ROLES : QUORUM_ROLES;
        }
        if (seed >= FIRST_TWINS) {
            return TWINS;
        }
        if (seed >= FIRST_QUORUM) {
            return switch ((int) Math.floorMod(seed, 10L)) {
                case 3, 4 -> QUORUM_REPLACEMENT;
                case 5 -> QUORUM_OUTAGE;
                case 6 -> QUORUM_NON_EXCLUSIVE;
                case 7 -> QUORUM_CALM;
                case 8 -> QUORUM_DEPARTURE;
                case 9 -> QUORUM_SILENCE;
                default -> QUORUM_FAULTS;
            };
        }
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
