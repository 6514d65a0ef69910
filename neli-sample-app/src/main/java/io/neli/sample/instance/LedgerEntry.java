package io.neli.sample.instance;

/**
 * One line of the ledger; in the topic, JSON.
 *
 * @param instance who wrote it
 * @param token the fencing token of the term in which it was written
 * @param number the how manieth of this instance it is
 */
public record LedgerEntry(String instance, long token, long number) {}
