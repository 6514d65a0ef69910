package io.neli.internal.election;

import java.util.ArrayList;
import java.util.List;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.Mode;
import org.jspecify.annotations.Nullable;

/** A partition's state during one step, and the actions so far. */
final class StepContext {

    private final MemberId self;
    final ElectionSettings settings;
    final int partition;
    final Moment now;
    private final List<Action> actions = new ArrayList<>();

    @Nullable
    LogView log;

    Bids bids;
    OwnTerm ownTerm;
    Outgoing outgoing;
    Ownership ownership;
    Eligibility eligibility;
    CarriedLeases carriedLeases;
    FenceHistory fenceHistory;
    private boolean wasEligible;

    StepContext(MemberId self, ElectionSettings settings, int partition, PartitionState state, Moment now) {
        this.self = self;
        this.settings = settings;
        this.partition = partition;
        this.now = now;
        this.log = state.log();
        this.bids = state.bids();
        this.ownTerm = state.ownTerm();
        this.outgoing = state.outgoing();
        this.ownership = state.ownership();
        this.eligibility = state.eligibility();
        this.carriedLeases = state.carriedLeases();
        this.fenceHistory = state.fenceHistory();
        this.wasEligible = state.wasEligible();
    }

    PartitionState state() {
        return new PartitionState(
                log, bids, ownTerm, outgoing, ownership, eligibility, carriedLeases, fenceHistory, wasEligible);
    }

    List<Action> actions() {
        return List.copyOf(actions);
    }

    MemberId self() {
        return self;
    }

    MonotonicTime time() {
        return now.time();
    }

    boolean isEligible() {
        return eligibility.isEligibleAt(time());
    }

    /** Not before the work of its last fenced term has ended, nor while another member leads with another configuration. */
    boolean mayLead() {
        boolean conflict = log != null && log.conflictsWith(self, settings, time());
        return isEligible() && fenceHistory.unfinished() == Term.NONE && !conflict;
    }

    boolean isNonExclusive() {
        return settings.groupConfig().mode() == Mode.NON_EXCLUSIVE;
    }

    /** Whether this member's term is current and not resigned. Otherwise nothing that it writes renews its lease. */
    boolean holds(LogView log) {
        return log.token() == ownTerm.token() && !log.resigned() && outgoing.resigned() != ownTerm.token();
    }

    /** Ends this member's term at once. Its work may still be running, and only this member waits for it. */
    void fence(FenceReason reason) {
        announce(new LeaderFenced(role(), partition, ownTerm.token(), reason));
        fenceHistory = fenceHistory.fenced(ownTerm, settings.leaseDuration(), time());
        ownTerm = ownTerm.standby();
    }

    void measureHeartbeat(Moment sent) {
        actions.add(new Action.HeartbeatRead(sent.time().until(time())));
    }

    boolean hasReached(MonotonicTime time) {
        return now.time().hasReached(time);
    }

    void append(LogRecord content) {
        actions.add(new Action.Append(content));
    }

    void acquired() {
        announce(new LeaderAcquired(role(), partition, ownTerm.token()));
    }

    void revoked(RevokeReason reason) {
        announce(new LeaderRevoked(role(), partition, ownTerm.token(), reason));
    }

    private void announce(LeaderEvent event) {
        actions.add(new Action.Announce(event));
    }

    /** The rules do not know which roles map to the partition. */
    private String role() {
        return "partition-" + partition;
    }

    void ignore(IgnoredRecord kind) {
        actions.add(new Action.Ignore(kind));
    }

    void rejoin() {
        actions.add(new Action.Rejoin());
    }

    /** The group has to know whether this member is eligible, unless it is closing and leaves anyway. */
    void rejoinIfEligibilityChanged() {
        if (wasEligible != isEligible()) {
            wasEligible = isEligible();
            if (!eligibility.closing()) {
                rejoin();
            }
        }
    }
}
