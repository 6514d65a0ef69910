package io.neli;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/** Thrown by calls that are allowed only while this member leads the role. */
public class NotLeaderException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String role;
    private final transient @Nullable Leader leader;

    /**
     * Creates an exception that says who leads.
     *
     * @param role the role that this member would have to lead
     * @param leader who leads it, as far as this member knows
     */
    public NotLeaderException(String role, Optional<Leader> leader) {
        super("This member may not work in role '" + role + "': "
                + leader.map(NotLeaderException::text).orElse("nobody is known to lead it"));
        this.role = role;
        this.leader = leader.orElse(null);
    }

    private static String text(Leader leader) {
        return leader.self()
                ? "it leads with token " + leader.token() + ", but its listeners are still preparing, or it hands over"
                : "'" + leader.name() + "' leads it with token " + leader.token();
    }

    /** The role that this member would have to lead. */
    public String role() {
        return role;
    }

    /** Who led the role when the exception was created, as far as this member knew; empty after deserialization. */
    public Optional<Leader> leader() {
        return Optional.ofNullable(leader);
    }
}
