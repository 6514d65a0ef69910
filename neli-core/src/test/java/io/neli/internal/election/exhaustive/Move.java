package io.neli.internal.election.exhaustive;

/**
 * One thing that happens; fits into an int.
 *
 * @param kind what
 * @param who to whom
 * @param a as the kind says
 * @param b as the kind says
 */
record Move(Kind kind, int who, int a, int b) {

    enum Kind {
        /** The clock ticks. */
        TICK,
        /** The member reads the next record. */
        READ,
        /** The member reads all there is in one step. */
        READ_ALL,
        /** Of what member a has in flight, the record at b reaches the log. */
        ARRIVE,
        /** As ARRIVE, and the member, which has read all else, reads it at once. */
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
        /** The group says that member a (or, if one too many, nobody) is the owner, and that term b - 1 was counted on. */
        ASSIGN,
        CRASH,
        LOSE_LOG
    }

    private static final Kind[] KINDS = Kind.values();

    int code() {
        return kind.ordinal() << 26 | who << 24 | a << 12 | b;
    }

    static Move of(int code) {
        return new Move(KINDS[code >>> 26], code >>> 24 & 3, code >>> 12 & 0xFFF, code & 0xFFF);
    }
}
