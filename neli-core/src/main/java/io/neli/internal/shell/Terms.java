package io.neli.internal.shell;

/** Knows which terms of this member last. Takes no lock; asked by any thread. */
@FunctionalInterface
public interface Terms {

    /** Whether this member leads the partition now, in the term with that token. */
    boolean leads(int partition, long token);

    /** Whether work of that term may continue: it is led or handed over and, in exclusive mode, its lease lasts. */
    default boolean lasts(int partition, long token) {
        return leads(partition, token);
    }
}
