package io.neli.internal.election;

/**
 * One of the logs of a partition; see {@link GroupConfig#quorum}.
 *
 * @param log which of its logs, counted from zero
 */
public record LogId(int partition, int log) {}
