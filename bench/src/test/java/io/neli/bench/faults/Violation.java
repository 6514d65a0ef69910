package io.neli.bench.faults;

/** Something that must not happen. */
record Violation(Kind kind, String text) {

    enum Kind {
        /** Two members led at the same instant. */
        OVERLAP,
        /** A later leader's token is not larger. */
        TOKEN,
        /** The counter lost an increment, or the register refused the leader or accepted a stale write. */
        EFFECT,
        /** Events are missing or in an impossible order. */
        EVENTS,
        /** Long after the faults, nobody leads, or not all members take part again. */
        NO_RECOVERY,
        /** A process ended by itself. */
        DIED,
        /** Threads, memory or descriptors have grown. */
        LEAK
    }
}
