package io.neli.internal.election;

import org.jspecify.annotations.Nullable;

/**
 * What a log's own records say of it.
 *
 * @param id random; {@link #NO_ID} if no leader has given it one
 * @param logSet the newest set of logs in it; null if there is none
 */
record LogIdentity(long id, @Nullable LogSet logSet) {

    static final long NO_ID = 0;
    static final LogIdentity NONE = new LogIdentity(NO_ID, null);

    boolean isKnown() {
        return id != NO_ID;
    }

    /** A later record says this of the log. */
    LogIdentity updatedBy(LogIdentity later) {
        LogSet newest = later.logSet;
        if (newest == null || (logSet != null && logSet.isNewerThan(newest))) {
            newest = logSet;
        }
        return new LogIdentity(later.isKnown() ? later.id : id, newest);
    }

    /** That the set is complete holds for all its logs, whichever of them says so. */
    LogIdentity completedBy(@Nullable LogSet newest) {
        boolean isSame = logSet != null && newest != null && newest.isSameChange(logSet);
        return isSame ? new LogIdentity(id, newest) : this;
    }
}
