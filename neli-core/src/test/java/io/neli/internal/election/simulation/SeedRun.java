package io.neli.internal.election.simulation;

import java.util.function.LongFunction;

import io.neli.internal.election.Violation;
import org.jspecify.annotations.Nullable;

/** Runs one seed; returns why it failed, or null. */
final class SeedRun implements LongFunction<@Nullable String> {

    @Override
    public @Nullable String apply(long seed) {
        try {
            new Schedule(seed, null).run();
            return null;
        } catch (RuntimeException e) {
            return e instanceof Violation ? e.getMessage() : e.toString();
        }
    }
}
