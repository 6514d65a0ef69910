package io.neli.internal.member;

import java.util.List;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.internal.shell.MetricsReporter;

/**
 * Runs a simulated term from beginning to end when a member starts, so that the first real term does not wait for its
 * code to be loaded; see {@link io.neli.internal.election.Rehearsal}.
 */
final class TermRehearsal {

    private static final String ROLE = "rehearsal";

    private TermRehearsal() {}

    /** Takes some milliseconds. The application is not notified. */
    static void run(MemberSettings settings, WorkLimit limit) {
        EventThread events =
                new EventThread(settings.threadName(ROLE), settings.groupId(), List.of(event -> {}), limit);
        MetricsReporter metrics = new MetricsReporter(List.of());
        WorkGate gate = new WorkGate(Runnable::run, (token, fenced) -> {}, limit, metrics);
        LedPartition partition = new LedPartition(
                0, List.of(ROLE), (number, token) -> true, events, gate, metrics, () -> {}, prepared -> {});
        partition.onEvent(new LeaderAcquired(ROLE, 0, 1));
        partition.onEvent(new LeaderRevoked(ROLE, 0, 1, RevokeReason.CLOSING));
        events.close();
    }
}
