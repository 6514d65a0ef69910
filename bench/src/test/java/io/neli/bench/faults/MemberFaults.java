package io.neli.bench.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import io.neli.cluster.Await;
import io.neli.cluster.Line.Kind;
import io.neli.cluster.MemberProcess;

/** Faults of members' processes. */
final class MemberFaults {

    private static final double SHORT_FREEZE = 0.7;
    private static final double LATE_WRITE_LEASES = 10;
    private static final Duration BEGIN_LIMIT = Duration.ofSeconds(60);

    /** When members are rolled, the lease alternates between these two. */
    private static final List<Duration> LEASES = List.of(Duration.ofMillis(500), Duration.ofMillis(800));

    private static final int HEARTBEATS_PER_LEASE = 5;
    private static final int SHORTEST_STEP_MILLIS = 500;
    private static final int STEP_MILLIS = 10_000;

    private final Scene scene;

    MemberFaults(Scene scene) {
        this.scene = scene;
    }

    /** Begins the fault. The returned action ends it. */
    Runnable begin(Fault fault, Targets targets) {
        String name = targets.member(fault);
        return switch (fault.kind()) {
            case MEMBER_KILLED -> {
                scene.group().member(name).ifPresent(MemberProcess::kill);
                yield () -> scene.startIfMissing(name);
            }
            case MEMBER_TERMINATED -> {
                running(name).ifPresent(MemberProcess::terminate);
                yield () -> scene.startIfMissing(name);
            }
            case MEMBER_FROZEN -> freeze(name, fault.leases());
            case CLOCK_FORWARD -> step(name, stepOf(fault));
            case CLOCK_BACK -> step(name, stepOf(fault).negated());
            case MEMBERS_ROLLED -> Meanwhile.run(() -> roll(fault.variant()));
            default -> throw new IllegalArgumentException(fault.toString());
        };
    }

    private Optional<MemberProcess> running(String name) {
        return scene.group().member(name).filter(member -> !member.isStopped());
    }

    /** Before a longer freeze of a leader, begins a write that will be too late. */
    private Runnable freeze(String name, double leases) {
        Optional<MemberProcess> member = running(name);
        if (member.isEmpty()) {
            return () -> {};
        }
        MemberProcess frozen = member.get();
        if (leases > SHORT_FREEZE && frozen.leads()) {
            long asked = System.nanoTime();
            frozen.say("late " + scene.leases(LATE_WRITE_LEASES).toMillis());
            Await.until(
                    "the write has begun, or it leads no more",
                    BEGIN_LIMIT,
                    () -> !frozen.leads()
                            || scene.group()
                                    .timeline()
                                    .last(line -> frozen.isFrom(line)
                                            && line.kind() == Kind.WORK_BEGUN
                                            && line.nanos() > asked)
                                    .isPresent());
        }
        frozen.stop();
        return () -> resume(frozen);
    }

    static void resume(MemberProcess member) {
        if (member.isStopped() && member.isAlive()) {
            member.resume();
        }
    }

    private static Duration stepOf(Fault fault) {
        return Duration.ofMillis(SHORTEST_STEP_MILLIS + fault.variant() % STEP_MILLIS);
    }

    private Runnable step(String name, Duration offset) {
        return scene.clock(name)
                .<Runnable>map(clock -> {
                    clock.stepAndWait(offset);
                    return () -> clock.stepAndWait(Duration.ZERO);
                })
                .orElse(() -> {});
    }

    /** Restarts one member after another; each is up before the next one ends. */
    private void roll(int variant) {
        Duration lease = scene.group().lease().equals(LEASES.get(0)) ? LEASES.get(1) : LEASES.get(0);
        scene.group().changeTiming(lease, lease.dividedBy(HEARTBEATS_PER_LEASE));
        List<String> names = new ArrayList<>(Scene.NAMES);
        Collections.shuffle(names, new Random(variant));
        for (String name : names) {
            running(name).ifPresent(MemberProcess::terminate);
            scene.startIfMissing(name);
            scene.group().startMissing();
        }
    }
}
