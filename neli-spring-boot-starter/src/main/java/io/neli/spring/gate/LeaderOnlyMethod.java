package io.neli.spring.gate;

import java.util.Optional;
import java.util.function.Supplier;

import io.neli.LeaderWork;
import io.neli.Neli;
import io.neli.NotLeaderException;
import io.neli.spring.LeaderOnly.Otherwise;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;

/**
 * How the calls of one method are handled.
 *
 * @param named the role; empty for the election's default role
 * @param otherwise what a call does where this member does not lead
 * @param skipped makes what a skipped call returns
 * @param reactive adapts what the method returns if that runs only when it is subscribed to
 */
record LeaderOnlyMethod(String named, Otherwise otherwise, Supplier<?> skipped, @Nullable ReactiveAdapter reactive) {

    Optional<LeaderWork> begin(Neli neli) {
        return neli.beginWork(role(neli));
    }

    /** The outcome of a call that may not run. */
    @Nullable
    Object otherwise(Neli neli) {
        if (otherwise == Otherwise.THROW) {
            throw new NotLeaderException(role(neli), neli.leader(role(neli)));
        }
        return skipped.get();
    }

    private String role(Neli neli) {
        return named.isEmpty() ? neli.defaultRole() : named;
    }
}
