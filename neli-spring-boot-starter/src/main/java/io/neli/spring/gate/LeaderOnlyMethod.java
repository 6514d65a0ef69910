package io.neli.spring.gate;

import java.lang.reflect.Method;
import java.util.Optional;
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
 * @param reactive adapts a returned reactive type, which runs only when it is subscribed to; null for other types
 * @param job the method itself if it is a job, whose other calls are skipped; null if it is not
 */
record LeaderOnlyMethod(
        AnnotatedPlace place,
        String named,
        Otherwise otherwise,
        Supplier<?> skipped,
        @Nullable ReactiveAdapter reactive,
        @Nullable Method job) {

    private static final Logger log = LoggerFactory.getLogger(LeaderOnly.class);

    boolean skips(Neli neli) {
        if (job != null) {
            return !ScheduledJob.calls(job);
        }
        return otherwise == Otherwise.SKIP && !neli.isLeader(role(neli));
    }

    /** Begins work; each attempt of a job's run begins a part of the work that is the run. */
    Optional<LeaderWork> begin(Neli neli) {
        return neli.beginWork(role(neli));
    }

    /** Handles a call that may not run: throws, or returns an empty value. A run of a job must not seem to succeed. */
    @Nullable
    Object otherwise(Neli neli) {
        if (otherwise == Otherwise.THROW || job != null) {
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
