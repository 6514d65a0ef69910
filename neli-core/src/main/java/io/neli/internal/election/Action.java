package io.neli.internal.election;

import java.time.Duration;

import io.neli.LeaderEvent;

/** What the shell has to do for a partition, in the order given. */
public sealed interface Action {

    /** Append the record to the partition's log; whether that succeeds shows when it is read back. */
    record Append(LogRecord content) implements Action {}

    /** Notify the application. The event carries the partition's own role, {@code partition-N}. */
    record Announce(LeaderEvent event) implements Action {}

    /** Ask the consumer group to rebalance; once is enough, however many partitions ask. */
    record Rejoin() implements Action {}

    /** Count a record that was ignored. */
    record Ignore(IgnoredRecord kind) implements Action {}

    /** Measure how long a heartbeat of this member took from its sending until it was read back. */
    record HeartbeatRead(Duration roundTrip) implements Action {}
}
