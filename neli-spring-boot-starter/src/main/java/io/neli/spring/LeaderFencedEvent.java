package io.neli.spring;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderFenced;

/** This member no longer leads, and another may lead already: stop now. Running {@link LeaderOnly} methods are interrupted. */
public final class LeaderFencedEvent extends LeadershipEvent {

    private static final long serialVersionUID = 1L;

    private final FenceReason reason;

    /** The event as a listener in this application context is notified of it. */
    public LeaderFencedEvent(Object source, LeaderFenced event) {
        super(source, event);
        this.reason = event.reason();
    }

    /** Why. */
    public FenceReason reason() {
        return reason;
    }

    @Override
    String description() {
        return super.description() + ", reason=" + reason;
    }
}
