package io.neli.internal.member;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.LeaderListener;
import io.neli.Mode;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.shell.MetricsReporter;
import io.neli.internal.shell.ShellSettings;
import org.jspecify.annotations.Nullable;

/**
 * The checked settings of a member, for any engine. {@link io.neli.NeliBuilder} says what they mean.
 *
 * @param topic the place of the logs: the leader topic, or its equivalent
 * @param heartbeatInterval how often a leader writes, and how long a background task pauses after a failure
 * @param listeners are notified of events, in this order; more may be added
 * @param workLimit null for no limit
 * @param warnAfter null for never
 * @param failFast null for not at all
 */
public record MemberSettings(
        String name,
        String groupId,
        String topic,
        int quorum,
        boolean candidate,
        int priority,
        Roles roles,
        Map<String, String> metadata,
        Mode mode,
        Duration leaseDuration,
        Duration heartbeatInterval,
        Duration handoverTimeout,
        List<LeaderListener> listeners,
        MetricsReporter metrics,
        boolean interruptOnFence,
        @Nullable Duration workLimit,
        @Nullable Duration warnAfter,
        @Nullable Duration failFast) {

    public MemberSettings {
        metadata = Map.copyOf(metadata);
        listeners = new CopyOnWriteArrayList<>(listeners);
    }

    public ShellSettings shell() {
        return new ShellSettings(
                name,
                groupId,
                topic,
                candidate,
                priority,
                roles.listed(),
                new ElectionSettings(
                        leaseDuration, heartbeatInterval, handoverTimeout, roles.groupConfig(mode, quorum), metadata));
    }

    String threadName(String purpose) {
        return "neli-" + name + "-" + purpose;
    }
}
