package io.neli.internal.election.exhaustive;

/**
 * One event; fits into an int.
 *
 * @param kind what
 * @param who to whom
 * @param log in which log, if any; if a record arrives, in which instance of the log
 * @param a depends on the kind
 * @param b depends on the kind
 */
record Move(Kind kind, int who, int log, int a, int b) {

    enum Kind {
        TICK,
        /** The member reads the next record of the log. */
        READ,
        /** The member reads everything, in all logs, in one step. */
        READ_ALL,
        /** Of member a's records in flight to the log, the one at b arrives. */
        ARRIVE,
        /** As ARRIVE, and the member, which has read everything else in the log, reads it immediately. */
        ARRIVE_AND_READ,
        /** The member is called because its deadline has come. */
        STEP,
        /** The member opens the log to read from offset a. */
        OPEN,
        /** The work of term a ends. */
        WORK_ENDS,
        PAUSE,
        RESUME,
        RESIGN,
        CLOSE,
        /** The group names member a as owner (nobody, if a is one too many), having counted on term b - 1. */
        ASSIGN,
        CRASH,
        LOSE_LOG,
        /** The member finds that the log was created again, and loses the old one. */
        FIND_RECREATED
    }

    private static final Kind[] KINDS = Kind.values();

    /** A move that concerns no log, or the first one. */
    Move(Kind kind, int who, int a, int b) {
        this(kind, who, 0, a, b);
    }

    static Move in(int log, Kind kind, int who) {
        return new Move(kind, who, log, 0, 0);
    }

    int code() {
        int where = kind.ordinal() << 4 | who << 2 | log;
        return (where << 10 | Fits.in(a, 10)) << 12 | Fits.in(b, 12);
    }

    static Move of(int code) {
        return new Move(KINDS[code >>> 26], code >>> 24 & 3, code >>> 22 & 3, code >>> 12 & 0x3FF, code & 0xFFF);
    }
}
