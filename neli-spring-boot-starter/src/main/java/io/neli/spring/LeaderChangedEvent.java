package io.neli.spring;

import java.util.Optional;

import io.neli.Leader;
import org.springframework.context.ApplicationEvent;

/**
 * Another member leads the role, or this one, in a new term, or nobody is known to. Published on every member, also on
 * one that may not lead, for each listed role, on the same thread as the {@link LeadershipEvent leadership events} and
 * after this member's own. An exception of a listener is logged.
 */
public final class LeaderChangedEvent extends ApplicationEvent {

    private static final long serialVersionUID = 1L;

    private final String role;
    private final transient Optional<Leader> leader;

    /** The change as a listener in this application context is notified of it. */
    public LeaderChangedEvent(Object source, String role, Optional<Leader> leader) {
        super(source);
        this.role = role;
        this.leader = leader;
    }

    /** The role. */
    public String role() {
        return role;
    }

    /** Who leads, as {@link io.neli.Neli#leader(String)} says; empty while nobody is known to, as in a handover. */
    public Optional<Leader> leader() {
        return leader;
    }

    @Override
    public String toString() {
        return "LeaderChangedEvent[role=" + role + ", leader=" + leader.orElse(null) + "]";
    }
}
