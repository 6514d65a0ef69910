package io.neli.internal.election.simulation;

import java.time.Duration;

import io.neli.Mode;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Records;
import io.neli.internal.election.Violation;
import org.jspecify.annotations.Nullable;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/**
 * A member starts while another leads that is silent, and whose latest effective record lies before what the newcomer
 * reads. The newcomer must wait for the longest lease that any record has shown, and no stale record may change that.
 */
final class Latecomer {

    private final World world;
    private final Chance chance;
    private final SimulatedLog log;
    private final long shortLease;
    private final long longLease;

    Latecomer(World world) {
        this.world = world;
        this.chance = world.chance;
        this.log = world.logs.get(0);
        this.shortLease = world.conditions.leases().get(0);
        this.longLease = world.conditions.longestLease();
    }

    void run() {
        switch ((int) chance.between(0, 5)) {
            case 0 -> behindAClaimant();
            case 1 -> behindACopy();
            case 2 -> behindAStranger();
            case 3 -> ofANewerVersion();
            default -> atTheBound();
        }
        world.waits(4 * longLease);
        if (world.leader(0) == null) {
            throw new Violation("the latecomer does not lead");
        }
    }

    /** The leader does not see that it was superseded, and the member that waits for its lease dies. */
    private void behindAClaimant() {
        SimulatedMember leader = world.join(longLease);
        world.waits(longLease + 500 * MILLISECOND);
        SimulatedMember claimant = world.join(shortLease);
        world.waits(500 * MILLISECOND);
        leader.reach[0].cannotRead = true;
        MemberId rogue = new MemberId("rogue", chance.uuid());
        log.append(Records.claim(rogue, 0, Duration.ofNanos(shortLease), world.groupConfig()));
        world.waits(chance.between(200 * MILLISECOND, longLease / 2));
        if (chance.happens(0.5)) {
            world.crashes(claimant);
            world.join(shortLease);
        } else {
            world.join(shortLease);
            world.waits(chance.between(0, longLease / 4));
            world.crashes(claimant);
        }
        world.waits(2 * longLease);
        world.crashes(leader);
    }

    /** A copy of an earlier leader's record says nothing about the later leader. */
    private void behindACopy() {
        SimulatedMember earlier = world.join(shortLease);
        world.waits(1000 * MILLISECOND);
        LogRecord.Heartbeat old = latestHeartbeat();
        SimulatedMember leader = world.join(longLease);
        world.waits(500 * MILLISECOND);
        earlier.closes();
        world.waits(2 * longLease);
        leader.pauses(2 * longLease);
        world.waits(chance.between(0, longLease / 4));
        world.join(longLease);
        world.waits(chance.between(20 * MILLISECOND, 200 * MILLISECOND));
        if (old != null) {
            log.append(old);
        }
        world.waits(2 * longLease);
    }

    /** A stranger may not have waited for the leader's lease: its leadership says nothing about earlier leases. */
    private void behindAStranger() {
        SimulatedMember leader = world.join(longLease);
        world.waits(longLease + chance.between(0, longLease));
        leader.pauses(3 * longLease);
        MemberId stranger = new MemberId("stranger", chance.uuid());
        GroupConfig other = new GroupConfig(Mode.NON_EXCLUSIVE, 1, "roles");
        Duration its = Duration.ofNanos(shortLease);
        int term = log.end();
        log.append(Records.claim(stranger, 0, its, other));
        world.join(longLease);
        world.waits(30 * MILLISECOND);
        log.append(Records.heartbeat(stranger, 1, its, other, term, true, log.end()));
        log.append(Records.resign(stranger, term));
        world.waits(4 * longLease);
    }

    /** The leader's work ends late, and it cannot read that a newer version superseded it. */
    private void ofANewerVersion() {
        SimulatedMember leader = world.join(shortLease);
        world.waits(1000 * MILLISECOND);
        world.workTakes(2 * longLease);
        world.joinNewer(shortLease);
        world.waits(chance.between(40 * MILLISECOND, 100 * MILLISECOND));
        leader.pauses(shortLease * 85 / 100);
        world.waits(2 * longLease);
    }

    /** The leader's clock may be slow and the other's fast. */
    private void atTheBound() {
        SimulatedMember leader = world.join(longLease);
        world.waits(chance.between(0, longLease));
        world.join(longLease);
        world.waits(2 * longLease);
        leader.reach[0].cannotRead = true;
        leader.reach[0].cannotWrite = true;
        world.waits(2 * longLease);
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
