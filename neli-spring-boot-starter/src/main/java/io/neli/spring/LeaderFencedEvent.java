package io.neli.spring;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderFenced;

/**
 * Published when this member has lost leadership and another member may already lead: stop now. Running {@link
 * LeaderOnly} methods are interrupted, unless {@code neli.work.interrupt-on-fence} is false.
 */
public final class LeaderFencedEvent extends LeadershipEvent {

    private static final long serialVersionUID = 1L;

    public LeaderFencedEvent(Object source, LeaderFenced event) {
        super(source, event);
    }

    /** Why this member lost leadership. */
    public FenceReason reason() {
        return ((LeaderFenced) event).reason();
    }
}
