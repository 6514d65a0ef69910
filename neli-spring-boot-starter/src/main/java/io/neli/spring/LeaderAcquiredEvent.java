package io.neli.spring;

import io.neli.LeaderEvent.LeaderAcquired;

/**
 * This member leads: prepare. {@link io.neli.Neli#isLeader()} is already true; {@link LeaderOnly} methods start when
 * the listeners have returned. A listener that throws makes the member resign; the listeners after it are notified of
 * the end only.
 */
public final class LeaderAcquiredEvent extends LeadershipEvent {

    private static final long serialVersionUID = 1L;

    /** The event as a listener in this application context is notified of it. */
    public LeaderAcquiredEvent(Object source, LeaderAcquired event) {
        super(source, event);
    }
}
