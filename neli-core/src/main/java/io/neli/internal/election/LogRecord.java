package io.neli.internal.election;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** What members write to the log. */
public sealed interface LogRecord extends Decoded {

    Sender sender();

    default MemberId member() {
        return sender().member();
    }

    /**
     * Who sent a record, and what every record tells about those before it.
     *
     * @param member the sender
     * @param token in claims and heartbeats the sender's fencing token, otherwise the largest in the log or zero
     * @param longestLease the longest lease that the sender knows of, including its own
     */
    record Sender(MemberId member, long token, Duration longestLease) {}

    /** A record that grants its sender a lease, if it is effective. */
    sealed interface Leasing extends LogRecord {

        Grant grant();
    }

    /**
     * What a claim and a heartbeat have in common.
     *
     * @param sequence lets the sender look up when it sent the record
     * @param lease the sender's lease
     * @param config the configuration that the sender expects of the others
     * @param metadata what the sender tells the others while it leads
     */
    record Grant(long sequence, Duration lease, PartitionConfig config, Map<String, String> metadata) {

        public Grant {
            metadata = Map.copyOf(metadata);
        }
    }

    /** Takes the partition: the offset of this record names the new term. */
    record Claim(Sender sender, Grant grant) implements Leasing {}

    /**
     * Extends the lease of a term.
     *
     * @param term the offset of its claim
     * @param leading whether the sender was LEADING or DRAINING
     * @param upTo the next offset that the sender would read
     * @param mark what it says about the log; null if the partition has only one
     */
    record Heartbeat(Sender sender, Grant grant, long term, boolean leading, long upTo, @Nullable Mark mark)
            implements Leasing {}

    /**
     * What a heartbeat says about its log, if the partition has several. If the topic was created again, the
     * heartbeat may arrive in another log than its sender reads.
     *
     * @param lastRead the latest record of its term that the sender has read; a reader that knows it reads the same log
     * @param identity the log's identity, as the sender has read it there or decided it
     */
    record Mark(Written lastRead, LogIdentity identity) {}

    /** Identifies a record in a log; both values must match. */
    record Written(long offset, long sequence) {}

    /**
     * Gives up a term. In exclusive mode no work of the term is running.
     *
     * @param successor the member that is invited to claim immediately; null if none is
     */
    record Resign(Sender sender, long term, @Nullable MemberHash successor) implements LogRecord {}

    /**
     * Asks to follow a term; the first bidder may claim. This is what Raft calls a pre-vote.
     *
     * @param term the term to follow, {@link Term#NONE} if none is known
     */
    record Bid(Sender sender, long term) implements LogRecord {}

    /**
     * Says that a candidate has opened the log. By reading it back, the sender knows that what it writes arrives, and
     * its connection is ready. Other members do not need it.
     */
    record Hello(Sender sender) implements LogRecord {}
}
