package io.neli;

import java.util.Map;

/**
 * Who leads.
 *
 * @param role the role that is led
 * @param name the name of the leading member, as configured there
 * @param token the term's fencing token
 * @param self whether it is this member
 * @param metadata what the leading member is configured to {@linkplain NeliBuilder#metadata tell} of itself; empty if
 *     nothing
 */
public record Leader(String role, String name, long token, boolean self, Map<String, String> metadata) {

    public Leader {
        metadata = Map.copyOf(metadata);
    }
}
