package io.neli.kafka;

import java.time.Duration;

/** Hears of what can be measured in the election, on the thread that turns it: must return at once and never throw. */
public interface Measurements {

    /** A heartbeat of this member was read back. */
    default void heartbeatRead(int partition, Duration roundTrip) {}

    /** This member asks to follow the current term. */
    default void bidSent(int partition) {}

    /** This member claims a partition whose holder, another, has not resigned. */
    default void takenOver(int partition) {}

    /** This member has ceased to lead; comes before the event. */
    default void led(int partition, Duration time) {}
}
