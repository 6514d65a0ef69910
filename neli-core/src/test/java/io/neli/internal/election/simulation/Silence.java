package io.neli.internal.election.simulation;

import io.neli.internal.election.Violation;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/**
 * The leader is silent for six tenths of its lease, or until somebody bids, and then answers: it must keep its term.
 */
final class Silence extends Events {

    Silence(World world) {
        super(world);
    }

    void run() {
        begin(2L, 3L, 5L);
        int changes = world.changes;
        for (int round = 0; round < 4; round++) {
            int partition = (int) chance.between(0, world.conditions.partitions());
            SimulatedMember leader = world.leader(partition);
            if (leader == null) {
                break;
            }
            fallsSilent(leader, partition);
            long rest = (long) (chance.oneOf(0.2, 1, 3) * leader.lease());
            world.waits(leader.lease() + rest);
        }
        Violation.unless(world.changes == changes, "a leader that was silent and answered has not kept its term");
    }

    private void fallsSilent(SimulatedMember leader, int partition) {
        if (chance.happens(0.5) && leader.lease() >= 300 * MILLISECOND) {
            world.note(leader.id, "is not heard", partition, "until somebody bids");
            for (SimulatedLog log : world.logsOf(partition)) {
                leader.reach[world.number(log.id)].muteUntilBid = true;
            }
            return;
        }
        long heardAt = world.partitions()
                .filter(leader::isLeader)
                .boxed()
                .flatMap(each -> world.logsOf(each).stream())
                .mapToLong(SimulatedLog::lastEffectiveAt)
                .min()
                .orElse(Long.MAX_VALUE);
        long now = world.timeline.now();
        leader.pauses(Math.max(0, heardAt + leader.lease() * 6 / 10 - now));
    }
}
