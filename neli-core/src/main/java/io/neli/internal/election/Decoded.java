package io.neli.internal.election;

/** A record of the log after decoding. */
public sealed interface Decoded permits LogRecord, Decoded.Unreadable {

    /** Not one of this group's records, or not one that this version can read. */
    record Unreadable(IgnoredRecord why) implements Decoded {}
}
