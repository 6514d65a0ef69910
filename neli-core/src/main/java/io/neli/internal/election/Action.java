package io.neli.internal.election;

import java.time.Duration;

import io.neli.LeaderEvent;

/** What the caller must do for a partition, in the given order. */
public sealed interface Action {

    /** Append the record to the partition's log. Only reading it back shows that this succeeded. */
    record Append(LogRecord content) implements Action {}

    /**
     * Notify the application. The event's role is {@code partition-N}; the caller knows which roles map to the
     * partition.
     */
    record Announce(LeaderEvent event) implements Action {}

    /** Ask the consumer group to rebalance; once is enough for any number of partitions. */
    record Rejoin() implements Action {}

    /** Report that something copies records of another log into this one. */
    record ReportCopy() implements Action {}

    /**
     * Open the log again from further back, because no record read so far sums up those before it.
     * {@link Input.LogOpened} follows.
     */
    record ReadFurtherBack() implements Action {}

    /** Another process writes as this member: continue as a new member, see {@link Election#renewed}. */
    record Renew() implements Action {}

    /** Record how long a heartbeat of this member took from sending to reading it back. */
    record HeartbeatRead(Duration roundTrip) implements Action {}
}
