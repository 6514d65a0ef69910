package io.neli.internal.election;

import java.time.Duration;

/** What members write to the log. */
public sealed interface LogRecord extends Decoded {

    /** The sender. */
    MemberId member();

    /** A record that grants its sender a lease, if it is effective. */
    sealed interface Leasing extends LogRecord {

        /** Lets the sender look up when it sent the record. */
        long sequence();

        /** The sender's lease. */
        Duration lease();
    }

    /** Takes the partition: the offset of this record names the new term. */
    record Claim(MemberId member, long sequence, Duration lease, GroupConfig groupConfig) implements Leasing {}

    /**
     * Extends the lease of a term.
     *
     * @param leading whether the sender was LEADING or DRAINING
     * @param upTo the next offset that the sender would read
     */
    record Heartbeat(MemberId member, long sequence, Duration lease, long term, boolean leading, long upTo)
            implements Leasing {}

    /** Gives up a term. In exclusive mode no work of the term is running. */
    record Resign(MemberId member, long term) implements LogRecord {}

    /**
     * Asks to follow a term; the first bidder may claim. This is what Raft calls a pre-vote.
     *
     * @param term the term to follow, {@link Term#NONE} if none is known
     */
    record Bid(MemberId member, long term) implements LogRecord {}
}
