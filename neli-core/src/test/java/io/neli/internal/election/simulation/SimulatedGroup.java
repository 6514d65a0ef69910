package io.neli.internal.election.simulation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.neli.internal.election.AssignmentPlan;
import io.neli.internal.election.Assignor;
import io.neli.internal.election.MemberMetadata;
import io.neli.internal.election.Violation;
import org.jspecify.annotations.Nullable;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/** A coordinator with the classic, eager protocol and the real assignor. */
final class SimulatedGroup {

    private enum Phase {
        EMPTY,
        PREPARING,
        STABLE
    }

    /** The coordinator's view of a member. */
    private static final class Entry {
        final SimulatedMember member;
        MemberMetadata metadata;
        boolean joined = true;
        long seenAt;
        int delivered;

        Entry(SimulatedMember member, MemberMetadata metadata) {
            this.member = member;
            this.metadata = metadata;
        }
    }

    private final World world;
    private final long heartbeatInterval;
    final long session;
    /** How long the coordinator waits for more members before the first assignment. */
    final long initialDelay;

    private final Map<SimulatedMember, Entry> entries = new LinkedHashMap<>();
    private final List<SimulatedMember> cutOff = new ArrayList<>();
    private Phase phase = Phase.EMPTY;
    /** How many assignments it has made. */
    int generation;

    private @Nullable AssignmentPlan latest;
    private long notBefore;
    private long downUntil;

    SimulatedGroup(World world) {
        this.world = world;
        this.session = 3 * world.conditions.longestLease();
        this.heartbeatInterval = session / 12;
        this.initialDelay = world.chance.oneOf(0L, 300L, 1500L) * MILLISECOND;
    }

    void starts(SimulatedMember member) {
        world.timeline.after(delay(), () -> tick(member));
    }

    /** Handles a member's heartbeat: it joins, joins again when asked to, or takes its assignment. */
    private void tick(SimulatedMember member) {
        if (!member.alive) {
            return;
        }
        world.timeline.after(heartbeatInterval, () -> tick(member));
        if (!reaches(member)) {
            return;
        }
        Entry entry = entries.get(member);
        if (entry == null) {
            join(member);
        } else {
            entry.seenAt = world.timeline.now();
            if (phase == Phase.PREPARING && !entry.joined) {
                join(member);
            } else if (phase == Phase.STABLE && entry.delivered != generation) {
                deliver(entry, generation);
            }
        }
        expire();
    }

    /** Returns whether the request was accepted. It is not during a rebalance. */
    boolean asksToRebalance(SimulatedMember member) {
        if (world.conditions.adversarial() || !entries.containsKey(member)) {
            return true; // it will join anyway
        }
        if (!reaches(member) || phase != Phase.STABLE || entries.get(member).delivered != generation) {
            return false;
        }
        join(member);
        return true;
    }

    void leaves(SimulatedMember member) {
        if (reaches(member) && entries.remove(member) != null) {
            someLeft();
        }
    }

    void cutsOff(SimulatedMember member) {
        cutOff.add(member);
    }

    void isDownFor(long duration) {
        downUntil = Math.max(downUntil, world.timeline.now() + duration);
    }

    void heals() {
        downUntil = 0;
        cutOff.clear();
        entries.values().forEach(entry -> entry.seenAt = world.timeline.now());
    }

    private boolean reaches(SimulatedMember member) {
        return isUp() && !member.isPaused() && !cutOff.contains(member);
    }

    private boolean isUp() {
        return world.timeline.now() >= downUntil;
    }

    private long delay() {
        return world.chance.between(MILLISECOND, 20 * MILLISECOND);
    }

    /** Sends the metadata of the moment when the request leaves, not when it arrives. */
    private void join(SimulatedMember member) {
        MemberMetadata metadata = member.metadata();
        world.timeline.after(delay(), () -> joined(member, metadata));
    }

    private void joined(SimulatedMember member, MemberMetadata metadata) {
        if (!member.alive || !metadata.member().equals(member.id)) {
            return;
        }
        if (!isUp()) {
            world.timeline.after(heartbeatInterval, () -> join(member)); // the client tries again
            return;
        }
        if (phase == Phase.EMPTY) {
            phase = Phase.PREPARING;
            notBefore = world.timeline.now() + initialDelay;
            world.timeline.at(notBefore, this::complete);
        }
        prepare();
        Entry entry = entries.computeIfAbsent(member, key -> new Entry(key, metadata));
        entry.metadata = metadata;
        entry.joined = true;
        entry.seenAt = world.timeline.now();
        complete();
    }

    private void prepare() {
        if (phase == Phase.STABLE) {
            phase = Phase.PREPARING;
            notBefore = world.timeline.now();
            entries.values().forEach(entry -> entry.joined = false);
        }
    }

    private void someLeft() {
        prepare();
        if (entries.isEmpty()) {
            phase = Phase.EMPTY;
        }
        complete();
    }

    private void expire() {
        long oldest = world.timeline.now() - session;
        if (entries.values().removeIf(entry -> entry.seenAt < oldest)) {
            someLeft();
        }
        complete();
    }

    private void complete() {
        if (!isUp() || phase != Phase.PREPARING || world.timeline.now() < notBefore || entries.isEmpty()) {
            return;
        }
        if (!entries.values().stream().allMatch(entry -> entry.joined)) {
            return;
        }
        phase = Phase.STABLE;
        generation++;
        latest = Assignor.assign(
                entries.values().stream().map(entry -> entry.metadata).toList());
        world.note("group", -1, generation, latest.shares());
        requireHighestTerms(latest);
        int current = generation;
        entries.values().forEach(entry -> world.timeline.after(delay(), () -> deliver(entry, current)));
    }

    private void requireHighestTerms(AssignmentPlan made) {
        for (Entry entry : entries.values()) {
            if (entry.metadata.groupConfig().equals(made.groupConfig())) {
                entry.metadata.leading().forEach((partition, token) -> {
                    Long counted = made.shares().get(partition).countedToken();
                    if (counted == null || counted < token) {
                        throw new Violation("an assignment counts on term " + counted + ", not on " + token);
                    }
                });
            }
        }
    }

    private void deliver(Entry entry, int which) {
        if (latest == null || which != generation || entry.delivered == which || !reaches(entry.member)) {
            return; // the next heartbeat asks again
        }
        entry.delivered = which;
        entry.member.assigned(latest.partOf(entry.member.id));
        entry.member.wake();
    }
}
