package io.neli.internal.election;

import java.time.Duration;
import java.util.Map;

/**
 * The settings of the rules.
 *
 * @param leaseDuration how long a leader may lead without reading back a record that it sent
 * @param heartbeatInterval at most a quarter of the lease
 * @param handoverTimeout how long a leader may drain
 * @param groupConfig what the members of the group must agree on
 * @param metadata what the others learn of this member while it leads
 */
public record ElectionSettings(
        Duration leaseDuration,
        Duration heartbeatInterval,
        Duration handoverTimeout,
        GroupConfig groupConfig,
        Map<String, String> metadata) {

    /** The longest lease; a record with a longer one is malformed. The topic's retention must exceed any lease. */
    public static final Duration LONGEST_LEASE = Duration.ofMinutes(10);

    /** The most bytes that the keys and values of the metadata may have together. */
    public static final int LONGEST_METADATA = 256;

    public ElectionSettings {
        metadata = Map.copyOf(metadata);
    }
}
