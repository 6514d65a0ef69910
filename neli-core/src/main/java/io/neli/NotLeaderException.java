package io.neli;

import java.util.Optional;

/** What was asked for may only be done while this member leads the role, and it does not. */
public class NotLeaderException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String role;

    /**
     * An exception that says who leads.
     *
     * @param role the role that would have to be led
     * @param leader who leads it, as far as this member knows
     */
    public NotLeaderException(String role, Optional<Leader> leader) {
        super("This member may not work in role '" + role + "': "
                + leader.map(NotLeaderException::text).orElse("nobody is known to lead it"));
        this.role = role;
    }

    private static String text(Leader leader) {
        return leader.self()
                ? "it leads with token " + leader.token() + ", but its listeners still prepare, or it hands over"
                : "'" + leader.name() + "' leads it with token " + leader.token();
    }

    /** The role that would have to be led. */
    public String role() {
        return role;
    }
}
