package io.neli.spring;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderFenced;

/**
 * This member no longer leads, and another may lead already: stop now. Running {@link LeaderOnly} methods are
 * interrupted.
 */
public final class LeaderFencedEvent extends LeadershipEvent {

    private static final long serialVersionUID = 1L;

    /** The event as a listener in this application context is notified of it. */
    public LeaderFencedEvent(Object source, LeaderFenced event) {
        super(source, event);
    }

    /** Why. */
    public FenceReason reason() {
        return ((LeaderFenced) event).reason();
    }
}
