package io.neli.bench;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import io.neli.TestServers;
import io.neli.bench.QuietGroup.Timing;
import io.neli.cluster.Await;
import io.neli.cluster.GroupView;
import io.neli.cluster.Line;
import io.neli.cluster.Line.Kind;
import io.neli.cluster.MemberProcess;
import io.neli.cluster.ServerProcess;

/** Measures the time from the end of a leader, in its own process, to the next leader. */
final class TakeoverFigures {

    private final ServerProcess servers;
    private final int runs;

    TakeoverFigures(ServerProcess servers, int runs) {
        this.servers = servers;
        this.runs = runs;
    }

    private static Figure figure(String what, Timing timing) {
        double lease = timing.lease().toMillis();
        // The shorter lease is allowed a larger share, because the round trips do not get shorter with the lease.
        return timing.equals(Timing.FAST)
                ? new Figure(what + ", " + timing, "ms", lease, 1.2 * lease)
                : new Figure(what + ", " + timing, "ms", lease, 1.1 * lease);
    }

    /** Waits for a random instant between two heartbeats. */
    private static void letSomeTimePass(Timing timing) {
        Await.elapsed(timing.heartbeat()
                .plusNanos(
                        ThreadLocalRandom.current().nextLong(timing.heartbeat().toNanos())));
    }

    List<Figure> crash(Timing timing) {
        Figure figure = figure("SIGKILL to LeaderAcquired", timing);
        try (QuietGroup group = new QuietGroup(servers, "crash", timing)) {
            for (int run = 0; run < runs; run++) {
                MemberProcess leader = group.complete("a", "b", "c");
                letSomeTimePass(timing);
                figure.addNanos(group.nanosToTakeover(leader, leader.kill()));
            }
        }
        return List.of(figure);
    }

    List<Figure> crashOfTwo(Timing timing) {
        Figure figure = figure("SIGKILL of the leader and one of four standbys", timing);
        try (QuietGroup group = new QuietGroup(servers, "two", timing)) {
            for (int run = 0; run < runs; run++) {
                MemberProcess leader = group.complete("a", "b", "c", "d", "e");
                List<MemberProcess> standbys = group.alive().stream()
                        .filter(process -> process != leader)
                        .toList();
                letSomeTimePass(timing);
                long killed = leader.kill();
                standbys.get(run % standbys.size()).kill();
                figure.addNanos(group.nanosToTakeover(leader, killed));
            }
        }
        return List.of(figure);
    }

    List<Figure> termination() {
        Figure whole = new Figure("SIGTERM to the next LeaderAcquired, no work", "ms", 20, Double.NaN);
        Figure first = new Figure("  SIGTERM to LeaderRevoked", "ms", Double.NaN, Double.NaN);
        Figure second = new Figure("  LeaderRevoked to LeaderAcquired", "ms", 8, Double.NaN);
        try (QuietGroup group = new QuietGroup(servers, "sigterm", Timing.DEFAULT);
                GroupView view = TestServers.get().view(servers.address(), group.id())) {
            for (int run = 0; run < runs; run++) {
                MemberProcess leader = group.complete("a", "b", "c");
                view.awaitSettled(List.of("a", "b", "c"), leader.name());
                letSomeTimePass(Timing.DEFAULT);
                long signalled = leader.terminate();
                Line revoked = group.await(line -> line.kind() == Kind.REVOKED && leader.isFrom(line));
                first.addNanos(revoked.nanos() - signalled);
                second.addNanos(group.nanosToTakeover(leader, revoked.nanos()));
                whole.addNanos(group.nanosToTakeover(leader, signalled));
            }
        }
        return List.of(whole, first, second);
    }
}
