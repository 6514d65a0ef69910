package io.neli.internal.election;

/** Kinds of records that are counted and ignored. They renew no lease and do not stop a reader. */
public enum IgnoredRecord {
    /** The key is missing or another group's. */
    FOREIGN_KEY,
    /** It was copied from another cluster, topic or partition. */
    OTHER_LOG,
    /** The key is this group's, but there is no version header. */
    NOT_NELI,
    /** Written by a newer version of the protocol: it renews no lease that this version knows. */
    NEWER_VERSION,
    /** A header is missing, too long or cannot be parsed. */
    MALFORMED,
    /** A heartbeat of a term that is over. */
    STALE_HEARTBEAT,
    /** A heartbeat that names a term or position which its own offset rules out. */
    FUTURE_HEARTBEAT,
    /** A heartbeat of the current term from a member that does not hold it. */
    FALSE_HEARTBEAT,
    /** A resignation from a term that is over, or is not the sender's. */
    STALE_RESIGN,
    /** A bid for a term that is not the current one. */
    STALE_BID
}
