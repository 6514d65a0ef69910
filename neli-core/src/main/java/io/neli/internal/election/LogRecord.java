package io.neli.internal.election;

import java.time.Duration;

/** What members write to the log. */
public sealed interface LogRecord extends Decoded {

    /** Who wrote it. */
    MemberId member();

    /** A record that grants its sender a lease, if it is effective. */
    sealed interface Leasing extends LogRecord {

        /** Lets the sender look up when it sent the record. */
        long sequence();

        /** The sender's lease. */
        Duration lease();
    }

    /** Takes the partition: the record's own offset names the new term. */
    record Claim(MemberId member, long sequence, Duration lease, GroupConfig groupConfig) implements Leasing {}

    /**
     * Keeps a term.
     *
     * @param leading whether its sender was leading or draining
     * @param upTo how far its sender had read
     */
    record Heartbeat(MemberId member, long sequence, Duration lease, long term, boolean leading, long upTo)
            implements Leasing {}

    /** Ends a term: its work has ended. */
    record Resign(MemberId member, long term) implements LogRecord {}

    /**
     * Asks to follow a term.
     *
     * @param term the term to follow, {@link Term#NONE} if none is known
     */
    record Bid(MemberId member, long term) implements LogRecord {}
}
