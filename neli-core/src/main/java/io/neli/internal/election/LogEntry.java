package io.neli.internal.election;

/** A record of the log and its offset. */
public record LogEntry(long offset, Decoded content) {}
