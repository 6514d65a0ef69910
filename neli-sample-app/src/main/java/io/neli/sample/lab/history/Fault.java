package io.neli.sample.lab.history;

import org.jspecify.annotations.Nullable;

/**
 * What was done to a leader that may cost it the lead.
 *
 * @param cause KILL, FREEZE or CUT
 * @param undoneAt when it was thawed or healed, if it was
 */
record Fault(Cause cause, long at, @Nullable Long undoneAt) {

    Fault(Cause cause, long at) {
        this(cause, at, null);
    }

    Fault undone(long when) {
        return new Fault(cause, at, when);
    }

    boolean isUndone() {
        return undoneAt != null;
    }

    /**
     * Whether a lead that was lost then may have been lost by this: not if the leader has been well again for so long that it
     * must have noticed.
     */
    boolean explains(long loss, long lease) {
        return undoneAt == null || loss <= undoneAt + 2 * lease;
    }
}
