package io.neli.bench;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.neli.bench.QuietGroup.Timing;
import io.neli.cluster.Await;
import io.neli.cluster.BrokerProcess;
import io.neli.cluster.Cluster;
import io.neli.cluster.Line;
import io.neli.cluster.Line.Kind;
import io.neli.cluster.MemberProcess;

/** Measures many partitions, and many members. */
final class LargeFigures {

    private static final int PARTITIONS = 64;
    private static final int ROLES = 1_000;

    private static final int JVMS_OF_STANDBYS = 2;
    private static final int STANDBYS = 49;

    private static final int OTHERS = 299;

    private static final int JVMS_OF_OTHERS = 12;

    /** Long enough not to expire while many members start. */
    private static final Timing PATIENT = new Timing(Duration.ofSeconds(15), Duration.ofSeconds(1));

    private static final Timing ONE_SECOND = new Timing(Duration.ofSeconds(1), Duration.ofMillis(200));

    private final BrokerProcess broker;
    private final int runs;

    LargeFigures(BrokerProcess broker, int runs) {
        this.broker = broker;
        this.runs = runs;
    }

    /** Four members in separate processes, started together. */
    List<Figure> roles() {
        double lease = Timing.DEFAULT.lease().toMillis();
        Figure start = new Figure(
                "1,000 roles, 64 partitions, 4 new JVMs: first start() to the last LeaderAcquired",
                "ms",
                2000,
                Double.NaN);
        Figure settled = new Figure("1,000 roles: start() to an even spread", "ms", Double.NaN, Double.NaN);
        Figure spread =
                new Figure("1,000 roles: most minus fewest partitions led by a member, settled", "partitions", 1, 1);
        Figure crash = new Figure(
                "1,000 roles: SIGKILL of one of 4 to the last LeaderAcquired", "ms", 1.2 * lease, Double.NaN);
        Figure shared = new Figure(
                "1,000 roles: of the dead one's 16 partitions, most that one survivor took",
                "",
                Double.NaN,
                Double.NaN);
        for (int run = 0; run < runs; run++) {
            try (QuietGroup group = new QuietGroup(broker, "roles", Timing.DEFAULT, PARTITIONS, ROLES)) {
                List.of("a", "b", "c", "d").forEach(group::start);
                Line starting = group.await(line -> line.kind() == Kind.STARTING);
                start.addNanos(group.awaitAllLed(rolesOn(partition -> true), starting.nanos()) - starting.nanos());
                awaitSpread(group);
                settled.addNanos(System.nanoTime() - starting.nanos());
                Await.elapsed(Timing.DEFAULT.lease()); // the leader must last
                spread.add(difference(group));
                MemberProcess victim = group.alive().get(run % 4);
                Set<Integer> orphans = QuietGroup.led(victim);
                long killed = victim.kill();
                crash.addNanos(group.awaitAllLed(rolesOn(orphans::contains), killed) - killed);
                shared.add(group.mostAcquiredByOne(
                        orphans.stream().map(QuietMemberMain::role).toList(), killed));
            }
        }
        return List.of(start, settled, spread, crash, shared);
    }

    private static Set<String> rolesOn(IntPredicate partition) {
        return IntStream.range(0, ROLES)
                .filter(place -> partition.test(place % PARTITIONS))
                .mapToObj(QuietMemberMain::role)
                .collect(Collectors.toSet());
    }

    private static void awaitSpread(QuietGroup group) {
        Await.until(
                "the partitions are spread",
                Cluster.LIMIT,
                () -> difference(group) <= 1
                        && group.alive().stream()
                                        .mapToInt(process ->
                                                QuietGroup.led(process).size())
                                        .sum()
                                == PARTITIONS);
    }

    private static int difference(QuietGroup group) {
        List<Integer> led = group.alive().stream()
                .map(process -> QuietGroup.led(process).size())
                .toList();
        return Collections.max(led) - Collections.min(led);
    }

    /** The leader has its own process; the others share two, or this would measure the machine's memory. */
    List<Figure> fiftyMembers() {
        Figure three = new Figure("3 members: SIGKILL to LeaderAcquired", "ms", Double.NaN, Double.NaN);
        crash("three", 2, three);
        Figure fifty = new Figure(
                "50 members: SIGKILL to LeaderAcquired (target: 1.2 x that of 3)",
                "ms",
                1.2 * three.median(),
                Double.NaN);
        crash("fifty", STANDBYS, fifty);
        return List.of(three, fifty);
    }

    /** The leader has its own process. */
    List<Figure> threeHundredMembers() {
        Figure grouped =
                new Figure("300 members: start of 12 JVMs with 299 to a group of 300", "ms", Double.NaN, Double.NaN);
        Figure takeover = new Figure(
                "300 members: SIGKILL to LeaderAcquired, " + PATIENT,
                "ms",
                1.2 * PATIENT.lease().toMillis(),
                Double.NaN);
        for (int run = 0; run < runs; run++) {
            try (QuietGroup group = new QuietGroup(broker, "large", PATIENT)) {
                MemberProcess leader = group.complete("leader");
                long starting = System.nanoTime();
                for (int jvm = 0; jvm < JVMS_OF_OTHERS; jvm++) {
                    group.start(names(jvm, OTHERS, JVMS_OF_OTHERS));
                }
                Await.until("the group is complete", Cluster.LIMIT, () -> leader.state("group")
                        .equals(Integer.toString(1 + OTHERS)));
                grouped.addNanos(System.nanoTime() - starting);
                takeover.addNanos(group.nanosToTakeover(leader, leader.kill()));
            }
        }
        return List.of(grouped, takeover);
    }

    /** Ten of thirteen die at once, among them the leader: the bids of the dead must not delay the survivors. */
    List<Figure> tenOfThirteenMembers() {
        Figure takeover = new Figure(
                "13 members, 10 killed at once: to LeaderAcquired, " + ONE_SECOND,
                "ms",
                2.0 * ONE_SECOND.lease().toMillis(),
                Double.NaN);
        for (int run = 0; run < runs; run++) {
            try (QuietGroup group = new QuietGroup(broker, "thirteen", ONE_SECOND)) {
                MemberProcess leader = group.complete("leader");
                MemberProcess survivors = group.start("survivor-0", "survivor-1", "survivor-2");
                List<MemberProcess> others = IntStream.range(0, 3)
                        .mapToObj(jvm -> group.start(names(jvm, 9, 3)))
                        .toList();
                group.awaitUp(survivors, 3);
                others.forEach(process -> group.awaitUp(process, 3));
                Await.elapsed(ONE_SECOND
                        .lease()
                        .plusNanos(ThreadLocalRandom.current()
                                .nextLong(ONE_SECOND.heartbeat().toNanos())));
                others.forEach(MemberProcess::kill);
                takeover.addNanos(group.nanosToTakeover(leader, leader.kill()));
            }
        }
        return List.of(takeover);
    }

    private void crash(String purpose, int standbys, Figure figure) {
        try (QuietGroup group = new QuietGroup(broker, purpose, Timing.DEFAULT)) {
            for (int run = 0; run < runs; run++) {
                MemberProcess leader = group.start("leader");
                Await.until(
                        "it leads", Cluster.LIMIT, () -> !QuietGroup.led(leader).isEmpty());
                for (int jvm = 0; jvm < JVMS_OF_STANDBYS; jvm++) {
                    String[] names = names(jvm, standbys, JVMS_OF_STANDBYS);
                    MemberProcess process =
                            group.alive().size() > 1 + jvm ? group.alive().get(1 + jvm) : group.start(names);
                    process.say("start");
                    group.awaitUp(process, names.length);
                }
                Await.elapsed(Timing.DEFAULT
                        .lease()
                        .plusNanos(ThreadLocalRandom.current()
                                .nextLong(Timing.DEFAULT.heartbeat().toNanos())));
                figure.addNanos(group.nanosToTakeover(leader, leader.kill()));
                for (MemberProcess process : group.alive()) {
                    process.say("stop");
                    group.awaitUp(process, 0);
                }
            }
        }
    }

    private static String[] names(int jvm, int standbys, int jvms) {
        return IntStream.range(0, standbys)
                .filter(number -> number % jvms == jvm)
                .mapToObj(number -> "standby-" + number)
                .toArray(String[]::new);
    }
}
