package io.neli.sample.lab.history;

import java.util.List;

import io.neli.NeliSnapshot;
import io.neli.sample.instance.report.Report;
import io.neli.sample.instance.report.Report.Event;
import io.neli.sample.instance.report.Report.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * The leadership of one instance according to its latest report. The lease continues to run out on the lab's clock, as
 * it does for a frozen process that reports nothing. Not thread-safe.
 */
public final class LatestReport {

    private static final long FENCED_SHOWN = 5000;

    private @Nullable Snapshot snapshot;
    private long snapshotAt;
    private @Nullable Event fenced;
    private long fencedAt;

    /**
     * The leadership at one moment.
     *
     * @param token of its own term, or of the term in which it was fenced; null if it has neither
     * @param leaseLeft in milliseconds; null unless it is LEADING or DRAINING
     */
    public record Leadership(State state, @Nullable Long token, @Nullable Long leaseLeft) {

        public boolean holdsLease() {
            return leaseLeft != null && leaseLeft > 0;
        }
    }

    public enum State {
        LEADING,
        CLAIMED,
        DRAINING,
        /** Shown for some seconds, or until the instance claims again. */
        FENCED,
        STANDBY,
        /** Nothing has been reported yet. */
        NONE;

        private boolean hasTerm() {
            return this == LEADING || this == CLAIMED || this == DRAINING;
        }
    }

    public void reported(Report report, long at) {
        if (report instanceof Snapshot latest) {
            snapshot = latest;
            snapshotAt = at;
        } else if (report instanceof Event event && event.event() == Report.Kind.FENCED) {
            fenced = event;
            fencedAt = at;
        }
    }

    /** Forgets all reports, because the process has ended. */
    public void clear() {
        snapshot = null;
        fenced = null;
    }

    public List<NeliSnapshot.Log> logs() {
        return snapshot == null ? List.of() : snapshot.logs();
    }

    public @Nullable String problem() {
        return snapshot == null ? null : snapshot.problem();
    }

    public Leadership leadership(long now) {
        if (snapshot == null) {
            return new Leadership(State.NONE, null, null);
        }
        State state = State.valueOf(snapshot.state().name());
        if (fenced != null && now - fencedAt < FENCED_SHOWN && (fencedAt >= snapshotAt || !state.hasTerm())) {
            return new Leadership(State.FENCED, fenced.token(), null);
        }
        boolean hasLease = state == State.LEADING || state == State.DRAINING;
        return new Leadership(
                state,
                state.hasTerm() ? snapshot.token() : null,
                hasLease ? Math.max(0, snapshot.leaseLeft() - (now - snapshotAt)) : null);
    }
}
