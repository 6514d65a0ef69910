package io.neli.spring.lifecycle;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderListener;
import org.springframework.core.Ordered;

/**
 * Stops components before the listeners that clean up after them. {@link io.neli.spring.LeaderKafkaTemplates} comes even earlier:
 * a component that stops must still be able to write. After a fence nothing waits for a stop before the other listeners are
 * notified: each may have something to stop.
 */
final class ComponentStopper implements LeaderListener, Ordered {

    private static final int ORDER = HIGHEST_PRECEDENCE + 100;

    private final LeaderComponents components;

    ComponentStopper(LeaderComponents components) {
        this.components = components;
    }

    @Override
    public void onEvent(LeaderEvent event) {
        if (event instanceof LeaderRevoked) {
            components.stop(event);
        } else if (event instanceof LeaderFenced) {
            components.askToStop(event);
        }
    }

    @Override
    public int getOrder() {
        return ORDER;
    }
}
