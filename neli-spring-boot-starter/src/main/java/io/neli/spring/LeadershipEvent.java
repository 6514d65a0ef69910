package io.neli.spring;

import org.springframework.context.ApplicationEvent;

/**
 * A change of this member's leadership, for {@code @EventListener} methods.
 *
 * <p>Published in order, one at a time, on a thread of the election, which waits for the listeners unless they are
 * {@code @Async}. What a listener throws reaches the election, as from an {@link io.neli.LeaderListener}.
 */
public abstract sealed class LeadershipEvent extends ApplicationEvent
        permits LeaderAcquiredEvent, LeaderRevokedEvent, LeaderFencedEvent {

    private static final long serialVersionUID = 1L;

    private final String role;
    private final long token;

    LeadershipEvent(Object source, String role, long token) {
        super(source);
        this.role = role;
        this.token = token;
    }

    /** The role. */
    public String role() {
        return role;
    }

    /** The term's fencing token. */
    public long token() {
        return token;
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[role=" + role + ", token=" + token + "]";
    }
}
