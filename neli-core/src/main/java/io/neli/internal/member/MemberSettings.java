package io.neli.internal.member;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.LeaderListener;
import io.neli.Mode;
import io.neli.NeliMetrics;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.shell.ShellSettings;
import org.jspecify.annotations.Nullable;

/**
 * The checked settings of a member, for any engine.
 *
 * @param name the member's name, for display
 * @param groupId the contending group
 * @param topic the place of the logs: the leader topic, or its equivalent
 * @param quorum how many logs each partition has
 * @param candidate whether this member may lead
 * @param priority the group assigns partitions to the eligible members of the highest priority
 * @param roles the partition of each role
 * @param metadata what others learn about this member while it leads
 * @param mode what the group promises
 * @param leaseDuration how long a leader may lead without reading back a newer record of its term
 * @param heartbeatInterval how often a leader writes, and how long a background task pauses after a failure
 * @param handoverTimeout how long work may continue during a handover
 * @param listeners are notified of events, in this order; more may be added
 * @param metrics receives measurements; never throws
 * @param interruptOnFence whether a fence interrupts work
 * @param workLimit how long a piece of work may run before the member steps down; null for no limit
 * @param warnAfter how long a piece of work may run before it is logged; null for never
 * @param failFast how long a start waits for the election to run; null for not at all
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
        NeliMetrics metrics,
        boolean interruptOnFence,
        @Nullable Duration workLimit,
        @Nullable Duration warnAfter,
        @Nullable Duration failFast) {

    public MemberSettings {
        metadata = Map.copyOf(metadata);
        listeners = new CopyOnWriteArrayList<>(listeners);
    }

    ShellSettings shell() {
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
