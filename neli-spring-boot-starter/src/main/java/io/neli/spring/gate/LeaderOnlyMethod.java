package io.neli.spring.gate;

import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import io.neli.LeaderWork;
import io.neli.Neli;
import io.neli.NotLeaderException;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderOnly.Otherwise;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.ReactiveAdapter;

/**
 * How the calls of one method are handled.
 *
 * @param named the role; empty for the election's default role
 * @param skipped makes what a skipped call returns
 * @param reactive adapts what the method returns if that runs only when it is subscribed to
 * @param running the beans whose calls must not overlap with the next one; null if calls may overlap
 */
record LeaderOnlyMethod(
        AnnotatedPlace place,
        String named,
        Otherwise otherwise,
        Supplier<?> skipped,
        @Nullable ReactiveAdapter reactive,
        @Nullable Set<@Nullable Object> running) {

    private static final Logger log = LoggerFactory.getLogger(LeaderOnly.class);

    /** Whether a call may run now; if so, {@link #leave} must follow. */
    boolean enter(@Nullable Object target) {
        return running == null || running.add(target);
    }

    void leave(@Nullable Object target) {
        if (running != null) {
            running.remove(target);
        }
    }

    boolean skips(Neli neli) {
        return otherwise == Otherwise.SKIP && !neli.isLeader(role(neli));
    }

    Optional<LeaderWork> begin(Neli neli) {
        return neli.beginWork(role(neli));
    }

    /** The outcome of a call that may not run. */
    @Nullable
    Object otherwise(Neli neli) {
        if (otherwise == Otherwise.THROW) {
            throw notLeader(neli);
        }
        if (log.isDebugEnabled()) {
            log.debug("Skipped {}: {}", place.name(), notLeader(neli).getMessage());
        }
        return skipped.get();
    }

    NotLeaderException notLeader(Neli neli) {
        return new NotLeaderException(role(neli), neli.leader(role(neli)));
    }

    private String role(Neli neli) {
        return named.isEmpty() ? neli.defaultRole() : named;
    }
}
