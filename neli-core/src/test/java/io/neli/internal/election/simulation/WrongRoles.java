package io.neli.internal.election.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.Violation;
import org.jspecify.annotations.Nullable;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/**
 * Nothing fails except members, which are restarted one by one with more or fewer roles. One newcomer has other roles:
 * it leads no partition from the first different one on, and the other members do not stop for it.
 */
final class WrongRoles extends Events {

    private static final int RESTARTS = 8;

    private final int roles;
    private final GroupConfig wrong;
    private final int from;
    /** Whether only the last role differs, and the newcomer starts before any other member knows that role. */
    private final boolean fresh;

    private @Nullable SimulatedMember newcomer;

    WrongRoles(World world) {
        super(world);
        this.roles = world.conditions.partitions();
        this.fresh = chance.happens(0.4);
        this.wrong = fresh ? renamed(world.conditions, roles - 1) : drawn(chance, world.conditions);
        this.from = from(wrong, world.groupConfig);
    }

    /** The first {@code count} roles. */
    static GroupConfig first(Conditions conditions, int count) {
        return config(
                conditions,
                IntStream.range(0, count).mapToObj(each -> "role" + each).toList());
    }

    private static GroupConfig config(Conditions conditions, List<String> names) {
        return new GroupConfig(conditions.mode(), names, conditions.quorum());
    }

    private static GroupConfig renamed(Conditions conditions, int role) {
        List<String> names =
                new ArrayList<>(first(conditions, conditions.partitions()).roles());
        names.set(role, "other");
        return config(conditions, names);
    }

    /** Random roles: one has another name or place, is missing, or has an additional one before it. */
    static GroupConfig drawn(Chance chance, Conditions conditions) {
        List<String> names =
                new ArrayList<>(first(conditions, conditions.partitions()).roles());
        int one = (int) chance.between(0, names.size() - 1L);
        switch ((int) chance.between(0, 4)) {
            case 0 -> {
                return renamed(conditions, (int) chance.between(0, names.size()));
            }
            case 1 -> names.add(one + 1, names.remove(one));
            case 2 -> names.add(one, "other");
            default -> names.remove(one);
        }
        return config(conditions, names);
    }

    /** The index of its first role that differs from the other's; its number of roles if none does. */
    static int from(GroupConfig its, GroupConfig other) {
        int from = 0;
        while (from < its.roles().size()
                && (from >= other.roles().size()
                        || its.roles().get(from).equals(other.roles().get(from)))) {
            from++;
        }
        return its.roles().isEmpty() ? its.partitions() : from;
    }

    void run() {
        for (int left = (int) chance.between(2, 4); left > 0; left--) {
            world.joinWithRoles(known());
        }
        requireAllLedAfter(5 * lease);
        world.onEvent = this::happens;
        newcomer = world.joinStranger(wrong);
        for (int restart = 0; restart < RESTARTS; restart++) {
            world.waits(3 * lease + chance.between(0, lease));
            requireNoneBarred();
            SimulatedMember one = chance.oneOf(world.members);
            boolean isNewcomer = one == newcomer;
            if (chance.happens(0.5)) {
                one.closes();
            } else {
                world.crashes(one);
            }
            world.waits(chance.between(0, 3 * lease));
            if (isNewcomer) {
                newcomer = world.joinStranger(wrong);
            } else {
                world.joinWithRoles(fresh ? roles : known());
            }
        }
        world.waits(3 * lease);
        if (newcomer != null) {
            world.crashes(newcomer);
        }
        // The newcomer's term ends after a lease, others may follow it for another, and then somebody bids.
        requireAllLedAfter(6 * lease);
    }

    /** At least two members know all roles, so that one can always lead each. */
    private int known() {
        int all = fresh ? roles - 1 : roles;
        return world.members.stream()
                                .filter(each -> each.leading.length == all && each.mayLead(0))
                                .count()
                        < 2
                ? all
                : (int) chance.between(1, all + 1L);
    }

    private void happens(SimulatedMember member, LeaderEvent event) {
        boolean isConflict = event instanceof LeaderRevoked revoked && revoked.reason() == RevokeReason.CONFLICT;
        if (world.isStranger(member)) {
            if (event instanceof LeaderAcquired && event.partition() >= (fresh ? roles : from)) {
                throw new Violation("a member with other roles " + wrong.roles() + " leads " + event.partition());
            }
        } else if (isConflict && event.partition() < (fresh ? from : roles)) {
            throw new Violation(
                    member.id + " gives up " + event.partition() + " for one with the roles " + wrong.roles());
        }
    }

    private void requireNoneBarred() {
        for (SimulatedMember member : world.members) {
            for (int partition = 0; partition < Math.min(member.leading.length, fresh ? from : roles); partition++) {
                boolean isBarred = member.mayLead(partition) && !member.isEligible(partition);
                Violation.unless(!isBarred, member.id + " is not eligible for " + partition);
            }
        }
    }

    /** A role may just be handed over then. */
    private void requireAllLedAfter(long duration) {
        world.waits(duration);
        long end = world.timeline.now() + 2_500 * MILLISECOND;
        while (!world.everyPartitionHasOneLeader() && world.timeline.now() < end) {
            world.waits(lease / 8);
        }
        Violation.unless(world.everyPartitionHasOneLeader(), "a role is not led");
    }
}
