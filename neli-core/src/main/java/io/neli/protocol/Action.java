package io.neli.protocol;

import java.time.Duration;

/** What the shell has to do for a partition, in the order given. */
public sealed interface Action {

    /** Append the record to the partition's log; whether that succeeds shows when it is read back. */
    record Append(LogRecord content) implements Action {}

    /** Tell the application. */
    record Announce(Event event) implements Action {}

    /** Ask the consumer group to rebalance; once is enough, however many partitions ask. */
    record Rejoin() implements Action {}

    /** Count a record that was not heeded. */
    record Ignore(IgnoredRecord kind) implements Action {}

    /** Measure how long a heartbeat of this member took from its sending until it was read back. */
    record HeartbeatRead(Duration roundTrip) implements Action {}

    /**
     * Measure how long this member has led: comes before the event that tells of the term's end.
     *
     * @param time until its lease was over, where that was noticed later
     */
    record Led(Duration time) implements Action {}
}
