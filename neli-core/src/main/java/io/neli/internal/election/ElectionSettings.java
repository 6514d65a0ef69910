package io.neli.internal.election;

import java.time.Duration;

/**
 * What the rules are configured with, the same for every start of a member.
 *
 * @param leaseDuration how long a term may lead without reading back a newer record of its own
 * @param heartbeatInterval at most a quarter of the lease
 * @param handoverTimeout how long a leader may drain
 * @param groupConfig what the group's members have in common
 */
public record ElectionSettings(
        Duration leaseDuration, Duration heartbeatInterval, Duration handoverTimeout, GroupConfig groupConfig) {

    /** Leases longer than this are not ours: retention must reach further back than any lease. */
    public static final Duration LONGEST_LEASE = Duration.ofMinutes(10);
}
