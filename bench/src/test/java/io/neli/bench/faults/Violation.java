package io.neli.bench.faults;

/** Something that must not happen. */
record Violation(Kind kind, String text) {

    enum Kind {
        /** Two led at one instant. */
        OVERLAP,
        /** A later leader has a token that is not larger. */
        TOKEN,
        /** An increment of the counter was lost, or the register has refused the leader or accepted a stale write. */
        EFFECT,
        /** Events are missing, or in an order that is none. */
        EVENTS,
        /** Nobody leads long after the faults are over, or not all members take part again. */
        NO_RECOVERY,
        /** A process has ended by itself. */
        DIED,
        /** Threads, memory or descriptors have grown. */
        LEAK
    }
}
