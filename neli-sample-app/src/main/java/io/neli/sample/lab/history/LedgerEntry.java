package io.neli.sample.lab.history;

import org.jspecify.annotations.Nullable;

/**
 * What became of one entry that an instance wrote.
 *
 * @param reason why it is not in the ledger
 */
public record LedgerEntry(long at, String instance, long token, long number, State state, @Nullable String reason) {

    /** Whether it is in the ledger. */
    public enum State {
        COMMITTED,
        /** The broker has fenced the transaction that it was written in. */
        REFUSED,
        FAILED
    }
}
