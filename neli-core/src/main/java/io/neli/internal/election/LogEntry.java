package io.neli.internal.election;

public record LogEntry(long offset, Decoded content) {}
