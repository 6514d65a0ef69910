package io.neli.internal.election;

/** Kinds of records that are read, counted and not heeded: none of them renews a lease or stops a reader. */
public enum IgnoredRecord {
    /** The key is missing or another group's. */
    FOREIGN_KEY,
    /** The key is ours, the headers are not. */
    NOT_NELI,
    /** Written by a newer version of the protocol. */
    UNKNOWN_VERSION,
    /** A header is missing, too long or cannot be parsed. */
    MALFORMED,
    /** A heartbeat of a term that is over. */
    STALE_HEARTBEAT,
    /** A heartbeat of a term, or of a reader, that its own offset says cannot be that far yet. */
    FUTURE_HEARTBEAT,
    /** A heartbeat of the current term from a member that does not hold it. */
    FALSE_HEARTBEAT,
    /** A resignation from a term that is over, or not the sender's. */
    STALE_RESIGN,
    /** A bid to follow a term that is not the current one. */
    STALE_BID
}
