package io.neli.spring;

import io.neli.LeaderEvent;
import org.springframework.context.ApplicationEvent;

/**
 * A change of this member's leadership, for {@code @EventListener} methods.
 *
 * <p>Published in order, one at a time, on a thread of the election, which waits for the listeners unless they are
 * {@code @Async}. An exception of a listener has the same effect as in an {@link io.neli.LeaderListener}. Each listed role has
 * its own events; {@code @EventListener(condition = "#root.event.role == 'invoices'")} selects those of one role.
 */
public abstract sealed class LeadershipEvent extends ApplicationEvent
        permits LeaderAcquiredEvent, LeaderRevokedEvent, LeaderFencedEvent {

    private static final long serialVersionUID = 1L;

    private final String role;
    private final int partition;
    private final long token;

    LeadershipEvent(Object source, LeaderEvent event) {
        super(source);
        this.role = event.role();
        this.partition = event.partition();
        this.token = event.token();
    }

    /** The role. */
    public String role() {
        return role;
    }

    /** The partition of the leader topic that the role maps to. */
    public int partition() {
        return partition;
    }

    /** The term's fencing token. */
    public long token() {
        return token;
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + description() + "]";
    }

    String description() {
        return "role=" + role + ", partition=" + partition + ", token=" + token;
    }
}
