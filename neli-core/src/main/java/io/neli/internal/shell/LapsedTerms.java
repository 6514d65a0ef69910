package io.neli.internal.shell;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.LongStream;

import io.neli.internal.election.Term;

/** The terms whose lease was over when somebody asked who leads: none of them is led again. Thread-safe. */
final class LapsedTerms {

    /** By partition, the largest token: those of earlier terms are smaller. */
    private final AtomicLongArray latest;

    LapsedTerms(int partitions) {
        this.latest = new AtomicLongArray(
                LongStream.generate(() -> Term.NONE).limit(partitions).toArray());
    }

    void add(int partition, long token) {
        latest.accumulateAndGet(partition, token, Math::max);
    }

    boolean contains(int partition, long token) {
        return token <= latest.get(partition);
    }
}
