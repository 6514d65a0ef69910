package io.neli.internal.runs;

/**
 * The key of a record. Only the last record of each key is kept. Each term has its own keys, so that a late record of a
 * former leader overwrites nothing. Each attempt has its own key too, because a record that was given up may still
 * arrive after its replacement.
 *
 * @param attempt how many records of the job could not be written in this term so far
 */
public record RunKey(String job, long token, int attempt) {}
