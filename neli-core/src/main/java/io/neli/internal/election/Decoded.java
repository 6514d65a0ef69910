package io.neli.internal.election;

/** A decoded record of the log. */
public sealed interface Decoded permits LogRecord, Decoded.Unreadable {

    /** A record that is not of this group, or that this version cannot read. */
    record Unreadable(IgnoredRecord why) implements Decoded {}
}
