package io.neli.spring;

import io.neli.LeaderEvent;
import org.springframework.context.ApplicationEvent;

/**
 * A change of this member's leadership, for {@code @EventListener} methods.
 *
 * <p>The events are published in order, one at a time, on a thread of the election, which waits for the listeners
 * unless they are {@code @Async}. An exception of a listener has the same effect as in an {@link
 * io.neli.LeaderListener}. Each listed role has its own events; {@code @EventListener(condition = "#root.event.role ==
 * 'invoices'")} selects those of one role.
 */
public abstract sealed class LeadershipEvent extends ApplicationEvent
        permits LeaderAcquiredEvent, LeaderRevokedEvent, LeaderFencedEvent {

    private static final long serialVersionUID = 1L;

    final transient LeaderEvent event;

    LeadershipEvent(Object source, LeaderEvent event) {
        super(source);
        this.event = event;
    }

    /** The role that this member leads or led. */
    public String role() {
        return event.role();
    }

    /** The partition of the leader topic that the role maps to. */
    public int partition() {
        return event.partition();
    }

    /** The term's fencing token. */
    public long token() {
        return event.token();
    }

    @Override
    public String toString() {
        return event.toString();
    }
}
