package io.neli.spring.gate;

import java.util.function.Consumer;

import io.neli.LeaderEvent;
import io.neli.LeaderListener;
import org.springframework.core.Ordered;

/**
 * One of the two places among the listeners at which components start and stop.
 *
 * <p>{@link #FIRST}, they stop before the listeners that clean up after them. {@link io.neli.spring.LeaderKafkaTemplates} comes even
 * earlier: a component that stops must still be able to write. {@link #LOWEST_PRECEDENCE Last}, they start after the listeners
 * that prepare for them. After a fence nothing waits for a stop before the other listeners are notified: each may have
 * something to stop.
 */
record ComponentEvents(int getOrder, Consumer<LeaderEvent> step) implements LeaderListener, Ordered {

    static final int FIRST = HIGHEST_PRECEDENCE + 100;

    @Override
    public void onEvent(LeaderEvent event) {
        step.accept(event);
    }
}
