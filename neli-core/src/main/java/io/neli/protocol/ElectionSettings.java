package io.neli.protocol;

import java.time.Duration;

/**
 * The constants of one member.
 *
 * @param self the member
 * @param lease how long a term may lead without reading back a newer record of its own: the heartbeat timeout
 * @param heartbeatInterval at most a quarter of the lease
 * @param handoverTimeout how long a leader may drain
 * @param takeover whether others than the group's owner bid
 * @param agreement what the group's members have in common
 */
public record ElectionSettings(
        MemberId self,
        Duration lease,
        Duration heartbeatInterval,
        Duration handoverTimeout,
        boolean takeover,
        Agreement agreement) {

    /** Leases longer than this are not ours: retention must reach further back than any lease. */
    public static final Duration LONGEST_LEASE = Duration.ofMinutes(10);
}
