package io.neli;

import java.util.Map;

/**
 * The leader of a role.
 *
 * @param name the configured name of the leading member
 * @param token the term's fencing token
 * @param self whether it is this member, which may be handing over
 * @param metadata what the leading member {@linkplain NeliBuilder#metadata tells} the others about itself; may be empty
 */
public record Leader(String role, String name, long token, boolean self, Map<String, String> metadata) {

    public Leader {
        metadata = Map.copyOf(metadata);
    }
}
