package io.neli.internal.election;

import java.util.ArrayList;
import java.util.List;

/**
 * Which of the logs of a partition count. A log that was lost and created again has no identity: it counts
 * once a leader has given it one, and a majority of the other logs say so. This is a change of members as in Raft, one
 * at a time (Ongaro's dissertation, section 4.1).
 *
 * @param token of the leader that made the set
 * @param change how many sets this leader had made before
 * @param identities of all logs, by number
 * @param complete whether the leader that made the first set has read it back in all logs; until then a member must
 *     hold all of them to lead
 */
record LogSet(long token, long change, List<Long> identities, boolean complete) {

    LogSet {
        identities = List.copyOf(identities);
    }

    /** The token and the change decide; of the same change, the complete set is newer. */
    boolean isNewerThan(LogSet other) {
        if (isSameChange(other)) {
            return complete && !other.complete;
        }
        return token > other.token || (token == other.token && change > other.change);
    }

    boolean isSameChange(LogSet other) {
        return token == other.token && change == other.change;
    }

    LogSet completed() {
        return new LogSet(token, change, identities, true);
    }

    LogSet changed(long byToken, long number, int log, long identity) {
        List<Long> next = new ArrayList<>(identities);
        next.set(log, identity);
        return new LogSet(byToken, number, next, true);
    }
}
