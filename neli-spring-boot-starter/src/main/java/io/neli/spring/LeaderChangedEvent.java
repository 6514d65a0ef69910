package io.neli.spring;

import java.util.Optional;

import io.neli.Leader;
import org.springframework.context.ApplicationEvent;

/**
 * Published when the known leader of a role changes: another member leads, this member leads in a new term, or no
 * leader is known. Every member publishes it for each listed role, even if it may not lead, on the same thread as the
 * {@link LeadershipEvent leadership events} and after its own. An exception of a listener is logged.
 */
public final class LeaderChangedEvent extends ApplicationEvent {

    private static final long serialVersionUID = 1L;

    private final String role;
    private final transient Optional<Leader> leader;

    /** Creates the Spring event for a change that the election reports. */
    public LeaderChangedEvent(Object source, String role, Optional<Leader> leader) {
        super(source);
        this.role = role;
        this.leader = leader;
    }

    /** The role whose leader has changed. */
    public String role() {
        return role;
    }

    /** The leader, as {@link io.neli.Neli#leader(String)} returns it; empty while none is known. */
    public Optional<Leader> leader() {
        return leader;
    }

    @Override
    public String toString() {
        return "LeaderChangedEvent[role=" + role + ", leader=" + leader.orElse(null) + "]";
    }
}
