package io.neli.internal.election.simulation;

import java.util.List;

import io.neli.internal.election.Violation;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/**
 * Nothing goes wrong. The first leader is found immediately, members come and go, leadership moves only if the group
 * spreads several partitions, nobody is ever fenced, and each claim leads to leadership.
 */
final class Calm extends Events {

    private static final int LEASES = 10;

    private final boolean one;
    /** Members that left. Each may have had a claim under way. */
    private int departures;

    Calm(World world) {
        super(world);
        this.one = world.conditions.partitions() == 1;
    }

    void run() {
        world.join(true);
        long latest = 0;
        for (long more = startsMore(); more > 0; more--) {
            long start = chance.oneOf(0L, 1L, 30L, 400L, 2000L) * MILLISECOND;
            world.timeline.at(start, () -> world.join(chance.happens(0.8)));
            latest = Math.max(latest, start);
        }
        long first = firstLeader();
        long headStart = world.group.initialDelay == 0 ? lease / 2 : 0;
        // Members that start together may get a log each, and a log that was down or not empty may have granted a
        // lease.
        long split = world.conditions.quorum() > 1 ? lease / 4 : 0;
        long unknown = world.conditions.quorum() > 1 ? latest + lease * 101 / 100 : 0;
        long bound = headStart + split + unknown + 100 * MILLISECOND;
        long bids = world.tally.of("bids");
        world.tally.measured("ms to the first leader", first / 1e6, bound / 1e6);
        if (one || split > 0) {
            world.waits(60 * MILLISECOND + 2 * split); // for bids that come too late
            bids = world.tally.of("bids");
        }
        int changes;
        do { // until no handover happens and no claim is under way
            changes = world.changes;
            world.waits(60 * MILLISECOND);
        } while (world.changes != changes && !one);
        // If there are several logs, others may have claimed some.
        long claims = split == 0 ? 0 : world.tally.of("claims");
        long acquired = split == 0 ? 0 : world.tally.of("acquired");
        loseOneLog();
        long end = world.timeline.now() + LEASES * lease;
        while (world.timeline.now() < end) {
            world.waits(leases(0.3, 1, 3));
            happens();
        }
        world.waits(settling(3));
        // An owner that left just after a request and came back waits ten leases; then it gets leadership.
        for (int leases = 0;
                leases < 12
                        && !one
                        && !(world.everyPartitionHasOneLeader() && Rest.isBalanced(world) && Rest.allKnow(world));
                leases++) {
            world.waits(lease);
        }
        requireLeaders();
        Violation.unless(Rest.isBalanced(world), "without faults leadership is spread unevenly");
        Violation.unless(Rest.allKnow(world), "without faults a member does not know who leads");
        Violation.unless(world.tally.of("fenced") == 0, "without faults a leader was fenced");
        long inVain = world.tally.of("claims") - claims - (world.tally.of("acquired") - acquired) * world.logsUp();
        // A member that leaves may just have claimed several partitions.
        long most = one ? 0 : (long) departures * world.conditions.partitions() * world.logsUp();
        Violation.unless(inVain <= most, "without faults a claim came to nothing");
        Violation.unless(!one || world.tally.of("bids") == bids, "without faults somebody bids");
        Violation.unless(!one || world.changes == 1, "without faults leadership has moved");
    }

    private long startsMore() {
        return world.conditions.isCrowd() ? world.conditions.members() - 1 : chance.between(0, 4);
    }

    private long firstLeader() {
        while (!world.everyPartitionHasOneLeader() && world.timeline.now() < 4 * lease) {
            world.waits(MILLISECOND);
        }
        return world.timeline.now();
    }

    private void happens() {
        List<SimulatedMember> followers =
                world.members.stream().filter(member -> !member.leadsAny()).toList();
        double what = chance.share();
        if (what < 0.4 && world.members.size() < world.conditions.members()) {
            world.join(chance.happens(0.8));
        } else if (what < 0.5) {
            world.group.isDownFor(2 * lease);
        } else if (!followers.isEmpty()) {
            SimulatedMember follower = chance.oneOf(followers);
            departures++;
            if (what < 0.7) {
                follower.closes();
            } else if (what < 0.8) {
                world.crashes(follower);
            } else {
                follower.stepsDown(!follower.isPausedByApplication());
            }
        }
    }
}
