package io.neli.internal.runs;

/**
 * The key of a record: only the last record of a key is kept. Each term writes under its own, so that a late record of
 * a former leader overwrites nothing; and so does each attempt, because a record that was given up may still arrive,
 * after the one that was written instead.
 *
 * @param attempt how many records of the job could not be written in this term so far
 */
public record RunKey(String job, long token, int attempt) {}
