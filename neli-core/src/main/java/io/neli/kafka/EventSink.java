package io.neli.kafka;

import io.neli.protocol.Event;

/** Hears of events, in order, on the thread that turns the election: must return at once. */
@FunctionalInterface
public interface EventSink {

    void onEvent(int partition, Event event);
}
