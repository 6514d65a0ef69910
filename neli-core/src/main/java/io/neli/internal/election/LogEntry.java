package io.neli.internal.election;

/** A record of the log and its place there. */
public record LogEntry(long offset, Decoded content) {}
