package io.neli.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Random;

import io.neli.cluster.Line.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Kills, stops, terminates and restarts members at random, and looks for two leaders in what they did. The lease is shorter
 * than by default, so that more happens.
 *
 * <p>The seed gives the choices, not the timing of the processes: {@code -Dneli.chaos.seed} repeats a run as well as can be.
 */
@Tag("proof")
@EnabledOnOs(value = OS.LINUX, disabledReason = "clocks of several processes are compared")
@ExtendWith(SharedBroker.class)
class ChaosIT {

    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final Duration HEARTBEAT = Duration.ofMillis(200);
    private static final int SECONDS = Integer.getInteger("neli.chaos.seconds", 30);

    private final long seed = Long.getLong("neli.chaos.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void there_are_never_two_leaders_whatever_happens_to_them(ServerProcess broker) {
        System.out.printf("chaos for %d s: repeat with -Dneli.chaos.seed=%d%n", SECONDS, seed);
        try (Cluster cluster = new Cluster(broker, "chaos", broker.address(), LEASE, HEARTBEAT, "a", "b", "c")) {
            cluster.complete();
            long until = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
            while (System.nanoTime() < until) {
                disturb(cluster);
                Await.elapsed(Duration.ofMillis(random.nextInt(1200)));
            }
            cluster.alive().stream().filter(MemberProcess::isStopped).forEach(MemberProcess::resume);
            cluster.complete();
            System.out.printf(
                    "%s: %d signals, %d terms%n",
                    cluster.group(), count(cluster, Kind.SIGNALLED), count(cluster, Kind.ACQUIRED));
            cluster.endAndCheck();
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    private static long count(Cluster cluster, Kind kind) {
        return cluster.timeline().notable().stream()
                .filter(line -> line.kind() == kind)
                .count();
    }

    /** One step; often at the leader, as the rest is less exciting. */
    private void disturb(Cluster cluster) {
        String name = cluster.leader()
                .filter(leader -> random.nextInt(3) > 0)
                .map(MemberProcess::name)
                .orElseGet(
                        () -> cluster.names().get(random.nextInt(cluster.names().size())));
        int choice = random.nextInt(10);
        cluster.member(name).ifPresentOrElse(member -> disturb(cluster, member, choice), () -> cluster.start(name));
    }

    private void disturb(Cluster cluster, MemberProcess member, int choice) {
        boolean led = member.leads();
        boolean starting = !member.isStopped() && !member.state("eligible").equals("true");
        if (starting && choice < 8) {
            return; // or hardly anybody would be there to take over
        }
        if (member.isStopped()) {
            if (choice < 8) {
                member.resume();
            } else {
                member.kill();
            }
        } else if (choice < 4) {
            measure(cluster, led, "SIGKILL", member, member.kill());
        } else if (choice < 7) {
            measure(cluster, led, "SIGTERM", member, member.terminate());
        } else if (choice == 7) {
            measure(cluster, led, "SIGSTOP", member, member.stop());
        } else {
            pauseForAboutALease(member);
        }
    }

    /** It goes on when its lease is about to end, or has just ended: when others are about to lead, or just lead. */
    private void pauseForAboutALease(MemberProcess member) {
        member.stop();
        Await.elapsed(LEASE.multipliedBy(60 + random.nextInt(60)).dividedBy(100));
        member.resume();
    }

    /** Waits for the next leader where one was taken away and another can follow. */
    private static void measure(Cluster cluster, boolean led, String kind, MemberProcess member, long since) {
        List<MemberProcess> others = cluster.alive().stream()
                .filter(other -> other != member && !other.isStopped())
                .filter(other -> other.state("eligible").equals("true"))
                .toList();
        if (led && !others.isEmpty()) {
            cluster.takeovers().add(kind, since, cluster.awaitTakeoverFrom(member, since));
        }
    }
}
