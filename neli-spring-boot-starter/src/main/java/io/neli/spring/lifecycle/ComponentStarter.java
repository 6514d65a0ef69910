package io.neli.spring.lifecycle;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderListener;
import org.springframework.core.Ordered;

/** Starts components after the listeners that prepare for them; after a fence, waits for those that were asked to stop. */
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
