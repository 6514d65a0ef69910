package io.neli.internal.election.exhaustive;

/**
 * One thing that happens; fits into an int.
 *
 * @param kind what
 * @param who to whom
 * @param log in which log, if it is about one; where a record arrives, in which instance of it
 * @param a as the kind says
 * @param b as the kind says
 */
record Move(Kind kind, int who, int log, int a, int b) {

    enum Kind {
        /** The clock ticks. */
        TICK,
        /** The member reads the next record of the log. */
        READ,
        /** The member reads all there is, in all logs, in one step. */
        READ_ALL,
        /** Of what member a has in flight to the log, the record at b reaches it. */
        ARRIVE,
        /** As ARRIVE, and the member, which has read all else in the log, reads it at once. */
        ARRIVE_AND_READ,
        /** The member's deadline has come, and it is called. */
        STEP,
        /** The member opens the log to read from offset a. */
        OPEN,
        /** The work of term a ends. */
        WORK_ENDS,
        PAUSE,
        RESUME,
        RESIGN,
        CLOSE,
        /**
         * The group says that member a (or, if one too many, nobody) is the owner, and that term b - 1 was counted on.
         */
        ASSIGN,
        CRASH,
        LOSE_LOG,
        /** The member finds that the log was created again, and loses the old one. */
        FIND_RECREATED
    }

    private static final Kind[] KINDS = Kind.values();

    /** One that is about no log, or about the first. */
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
