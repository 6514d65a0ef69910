package io.neli.spring;

import io.neli.LeaderEvent.LeaderAcquired;

/**
 * Published when this member begins to lead, so that listeners can prepare. {@link io.neli.Neli#isLeader()} is already
 * true; {@link LeaderOnly} methods start once all listeners have returned. If a listener throws, this member resigns,
 * and later listeners receive only the event that ends the term.
 */
public final class LeaderAcquiredEvent extends LeadershipEvent {

    private static final long serialVersionUID = 1L;

    public LeaderAcquiredEvent(Object source, LeaderAcquired event) {
        super(source, event);
    }
}
