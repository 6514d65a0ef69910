package io.neli.spring.autoconfigure.lifecycle;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderListener;
import org.springframework.core.Ordered;

/**
 * Starts what runs while leading, after the listeners that prepare for it; after a fence, waits for what was asked to stop.
 */
final class ComponentStarter implements LeaderListener, Ordered {

    private final LeaderComponents components;

    ComponentStarter(LeaderComponents components) {
        this.components = components;
    }

    @Override
    public void onEvent(LeaderEvent event) {
        if (event instanceof LeaderAcquired acquired) {
            components.start(acquired);
        } else if (event instanceof LeaderFenced) {
            components.stop(event);
        }
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }
}
