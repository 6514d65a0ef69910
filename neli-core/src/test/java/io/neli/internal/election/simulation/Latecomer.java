package io.neli.internal.election.simulation;

import java.time.Duration;

import io.neli.Mode;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.PartitionConfig;
import io.neli.internal.election.Records;
import io.neli.internal.election.Violation;
import org.jspecify.annotations.Nullable;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/**
 * A member starts while another leads that is silent, and whose latest effective record lies before what the newcomer
 * reads. The newcomer must wait for the longest lease that any record has shown, and no stale record may change that.
 */
final class Latecomer extends Events {

    private final SimulatedLog log;
    private final long shortLease;

    Latecomer(World world) {
        super(world);
        this.log = world.logs.get(0);
        this.shortLease = world.conditions.leases().get(0);
    }

    void run() {
        switch ((int) chance.between(0, 5)) {
            case 0 -> behindAClaimant();
            case 1 -> behindACopy();
            case 2 -> behindAStranger();
            case 3 -> ofANewerVersion();
            default -> atTheBound();
        }
        world.waits(4 * lease);
        Violation.unless(world.leader(0) != null, "the latecomer does not lead");
    }

    /** The leader does not see that it was superseded, and the member that waits for its lease dies. */
    private void behindAClaimant() {
        SimulatedMember leader = world.join(lease);
        world.waits(lease + 500 * MILLISECOND);
        SimulatedMember claimant = world.join(shortLease);
        world.waits(500 * MILLISECOND);
        leader.reach[0].cannotRead = true;
        MemberId rogue = new MemberId("rogue", chance.uuid());
        log.append(Records.claim(rogue, 0, Duration.ofNanos(shortLease), world.groupConfig.of(0)));
        world.waits(chance.between(200 * MILLISECOND, lease / 2));
        if (chance.happens(0.5)) {
            world.crashes(claimant);
            world.join(shortLease);
        } else {
            world.join(shortLease);
            world.waits(chance.between(0, lease / 4));
            world.crashes(claimant);
        }
        world.waits(2 * lease);
        world.crashes(leader);
    }

    /** A copy of an earlier leader's record says nothing about the later leader. */
    private void behindACopy() {
        SimulatedMember earlier = world.join(shortLease);
        world.waits(1000 * MILLISECOND);
        LogRecord.Heartbeat old = latestHeartbeat();
        SimulatedMember leader = world.join(lease);
        world.waits(500 * MILLISECOND);
        earlier.closes();
        world.waits(2 * lease);
        leader.pauses(2 * lease);
        world.waits(chance.between(0, lease / 4));
        world.join(lease);
        world.waits(chance.between(20 * MILLISECOND, 200 * MILLISECOND));
        if (old != null) {
            log.append(old);
        }
        world.waits(2 * lease);
    }

    /** A stranger may not have waited for the leader's lease: its leadership says nothing about earlier leases. */
    private void behindAStranger() {
        SimulatedMember leader = world.join(lease);
        world.waits(lease + chance.between(0, lease));
        leader.pauses(3 * lease);
        MemberId stranger = new MemberId("stranger", chance.uuid());
        PartitionConfig other = new GroupConfig(Mode.NON_EXCLUSIVE, 1, "roles", 1).of(0);
        Duration its = Duration.ofNanos(shortLease);
        int term = log.end();
        log.append(Records.claim(stranger, 0, its, other));
        world.join(lease);
        world.waits(30 * MILLISECOND);
        log.append(Records.heartbeat(stranger, 1, its, other, term, true, log.end()));
        log.append(Records.resign(stranger, term));
        world.waits(4 * lease);
    }

    /** The leader's work ends late, and it cannot read that a newer version superseded it. */
    private void ofANewerVersion() {
        SimulatedMember leader = world.join(shortLease);
        world.waits(1000 * MILLISECOND);
        world.work = 2 * lease;
        world.joinNewer(shortLease);
        world.waits(chance.between(40 * MILLISECOND, 100 * MILLISECOND));
        leader.pauses(shortLease * 85 / 100);
        world.waits(2 * lease);
    }

    /** The leader's clock may be slow and the other's fast. */
    private void atTheBound() {
        SimulatedMember leader = world.join(lease);
        world.waits(chance.between(0, lease));
        world.join(lease);
        world.waits(2 * lease);
        leader.reach[0].cannotRead = true;
        leader.reach[0].cannotWrite = true;
        world.waits(2 * lease);
    }

    private LogRecord.@Nullable Heartbeat latestHeartbeat() {
        LogRecord.Heartbeat latest = null;
        for (LogEntry entry : log.between(0, log.end())) {
            if (entry.content() instanceof LogRecord.Heartbeat heartbeat && heartbeat.leading()) {
                latest = heartbeat;
            }
        }
        return latest;
    }
}
