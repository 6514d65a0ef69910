package io.neli.protocol.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.neli.protocol.Agreement;
import io.neli.protocol.ElectionSettings;
import io.neli.protocol.Event;
import io.neli.protocol.MemberId;
import io.neli.protocol.Mode;
import org.jspecify.annotations.Nullable;

import static io.neli.protocol.simulation.Conditions.MILLISECOND;

/** Everything there is in one schedule, and what must hold of it after every step of every member. */
final class World {

    final Chance chance;
    final Conditions conditions;
    final Timeline timeline = new Timeline();
    final List<SimulatedLog> logs = new ArrayList<>();
    final List<SimulatedMember> members = new ArrayList<>();
    final SimulatedGroup group;
    private final Agreement agreement;
    private final long[] lastTokens;
    private final @Nullable Consumer<String> trace;
    private boolean disturbed = true;
    private int born;
    private int acquisitions;
    private int changes;

    World(long seed, @Nullable Consumer<String> trace) {
        this.chance = new Chance(seed);
        this.conditions = Conditions.drawn(chance);
        this.trace = trace;
        this.group = new SimulatedGroup(this);
        this.agreement = new Agreement(Mode.EXCLUSIVE, conditions.partitions(), "roles");
        this.lastTokens = new long[conditions.partitions()];
        for (int partition = 0; partition < conditions.partitions(); partition++) {
            logs.add(new SimulatedLog(this, partition));
            lastTokens[partition] = -1;
        }
    }

    SimulatedMember join(boolean candidate) {
        return join(candidate, agreement);
    }

    /** A member that was told other roles than the others. */
    SimulatedMember joinStranger() {
        return join(true, new Agreement(Mode.EXCLUSIVE, conditions.partitions(), "other roles"));
    }

    private SimulatedMember join(boolean candidate, Agreement its) {
        born++;
        long lease = chance.oneOf(conditions.leases());
        ElectionSettings settings = new ElectionSettings(
                new MemberId("m" + born, chance.uuid()),
                Duration.ofNanos(lease),
                Duration.ofNanos(lease / chance.oneOf(4L, 5L, 6L)),
                Duration.ofNanos(chance.oneOf(300L, 600L, 2000L) * MILLISECOND),
                conditions.takeover(),
                its);
        SimulatedClock clock = new SimulatedClock(timeline, chance.between(-conditions.drift(), conditions.drift()));
        SimulatedMember member = new SimulatedMember(this, settings.self(), settings, clock, candidate);
        note(member.id, "starts", -1, settings);
        members.add(member);
        if (!conditions.adversarial()) {
            group.starts(member);
        }
        return member;
    }

    boolean isStranger(SimulatedMember member) {
        return !member.settings.agreement().equals(agreement);
    }

    Agreement agreement() {
        return agreement;
    }

    void crashes(SimulatedMember member) {
        note(member.id, "crashes", -1, "");
        member.dies();
        members.remove(member);
    }

    void leaves(SimulatedMember member) {
        members.remove(member);
        member.dies();
        timeline.after(5 * MILLISECOND, () -> group.leaves(member));
    }

    /** How long the work of a revoked term goes on; some never notices that it should end. */
    long drainTime() {
        return disturbed && chance.happens(0.1)
                ? 10_000 * MILLISECOND
                : chance.oneOf(0L, 1L, 5L, 50L, 200L) * MILLISECOND;
    }

    boolean isDisturbed() {
        return disturbed;
    }

    void calmsDown() {
        disturbed = false;
        note("world", -1, "calms down", "");
    }

    int acquisitions() {
        return acquisitions;
    }

    /** How often leadership has changed in any way. */
    int changes() {
        return changes;
    }

    void announced(SimulatedMember member, int partition, Event event) {
        changes++;
        if (event instanceof Event.Acquired) {
            acquisitions++;
            if (event.token() <= lastTokens[partition]) {
                throw new SimulationFailure(
                        member.id + " acquires with token " + event.token() + " after " + lastTokens[partition]);
            }
            lastTokens[partition] = event.token();
        }
    }

    /** At most one leads, and nobody leads beside one whose work is ending. */
    void check() {
        for (int partition = 0; partition < logs.size(); partition++) {
            SimulatedMember holder = null;
            for (SimulatedMember member : members) {
                if (member.holds(partition)) {
                    if (holder != null) {
                        throw new SimulationFailure("two leaders: " + holder.id + " and " + member.id);
                    }
                    holder = member;
                }
            }
        }
    }

    void note(Object who, Object first, Object second, Object third) {
        if (trace != null) {
            trace.accept("%10.3f %s %s %s %s".formatted(timeline.now() / 1e6, who, first, second, third));
        }
    }
}
