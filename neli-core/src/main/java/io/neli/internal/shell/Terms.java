package io.neli.internal.shell;

/** Knows which terms of this member last. Takes no lock; asked by any thread. */
@FunctionalInterface
public interface Terms {

    /** Whether this member leads the partition now, in the term with that token. */
    boolean leads(int partition, long token);

    /** Whether work of the term with that token may go on now: it is led or handed over, and its lease lasts. */
    default boolean lasts(int partition, long token) {
        return leads(partition, token);
    }
}
