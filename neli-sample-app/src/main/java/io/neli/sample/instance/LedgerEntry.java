package io.neli.sample.instance;

/**
 * One entry of the ledger; JSON in the topic.
 *
 * @param instance the name of the instance that wrote it
 * @param token the fencing token of the term in which it was written
 * @param number counts the entries of that instance
 */
public record LedgerEntry(String instance, long token, long number) {}
