package io.neli.internal.election;

import org.jspecify.annotations.Nullable;

/**
 * What a log's own records say about it.
 *
 * @param id random; {@link #NO_ID} if no leader has given it one
 * @param logSet the newest set of logs in it; null if none
 */
record LogIdentity(long id, @Nullable LogSet logSet) {

    static final long NO_ID = 0;
    static final LogIdentity NONE = new LogIdentity(NO_ID, null);

    boolean isKnown() {
        return id != NO_ID;
    }

    /** Takes into account what a later record says about the log. */
    LogIdentity updatedBy(LogIdentity later) {
        LogSet newest = later.logSet;
        if (newest == null || (logSet != null && logSet.isNewerThan(newest))) {
            newest = logSet;
        }
        return new LogIdentity(later.isKnown() ? later.id : id, newest);
    }

    /** Adopts the newest set read in any log if it is the same change: it may say that the set is complete. */
    LogIdentity completedBy(@Nullable LogSet newest) {
        boolean isSame = logSet != null && newest != null && newest.isSameChange(logSet);
        return isSame ? new LogIdentity(id, newest) : this;
    }
}
