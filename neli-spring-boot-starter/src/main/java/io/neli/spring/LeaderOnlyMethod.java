package io.neli.spring;

import java.util.Optional;
import java.util.function.Supplier;

import io.neli.Leader;
import io.neli.LeaderWork;
import io.neli.Neli;
import io.neli.NeliSnapshot;
import io.neli.NotLeaderException;
import io.neli.spring.LeaderOnly.Otherwise;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;

/**
 * How the calls of one method are gated.
 *
 * @param role empty for the first of the list
 * @param otherwise what becomes of a call where this member does not lead
 * @param skipped makes what a skipped call returns
 * @param reactive adapts what the method returns if that runs only when it is subscribed to
 */
record LeaderOnlyMethod(String role, Otherwise otherwise, Supplier<?> skipped, @Nullable ReactiveAdapter reactive) {

    Optional<LeaderWork> begin(Neli neli) {
        return role.isEmpty() ? neli.beginWork() : neli.beginWork(role);
    }

    /** The outcome of a call that may not run. */
    @Nullable
    Object otherwise(Neli neli) {
        if (otherwise == Otherwise.THROW) {
            throw notLeader(neli);
        }
        return skipped.get();
    }

    NotLeaderException notLeader(Neli neli) {
        Optional<Leader> leader = role.isEmpty() ? neli.leader() : neli.leader(role);
        String named = role.isEmpty() ? leader.map(Leader::role).orElseGet(() -> firstRole(neli)) : role;
        return new NotLeaderException(named, leader);
    }

    private static String firstRole(Neli neli) {
        return neli.snapshot().partitions().stream()
                .findFirst()
                .map(NeliSnapshot.Partition::roles)
                .map(roles -> roles.get(0))
                .orElse(Neli.DEFAULT_ROLE);
    }
}
