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

/** The working copy of one step: lives from the state that comes in to the one that goes out. */
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

    /** Not before the work of its last term has ended, nor beside a leader by another agreement. */
    boolean mayLead() {
        boolean conflict = log != null && log.conflictsWith(self, settings, time());
        return isEligible() && fenceHistory.unfinished() == Term.NONE && !conflict;
    }

    boolean isNonExclusive() {
        return settings.groupConfig().mode() == Mode.NON_EXCLUSIVE;
    }

    /** Whether its own term is the current one and it has not resigned; otherwise nothing that it writes keeps its lease. */
    boolean holds(LogView log) {
        return log.token() == ownTerm.token() && !log.resigned() && outgoing.resigned() != ownTerm.token();
    }

    /** Its term is over: it ceases to lead, and nothing waits for its work but this member itself. */
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

    /** The rules know no other: which roles map to the partition is not their concern. */
    private String role() {
        return "partition-" + partition;
    }

    void ignore(IgnoredRecord kind) {
        actions.add(new Action.Ignore(kind));
    }

    void rejoin() {
        actions.add(new Action.Rejoin());
    }

    /** A member that begins or ceases to stand tells the group; one that leaves it need not. */
    void noteEligibility() {
        if (wasEligible != isEligible()) {
            wasEligible = isEligible();
            if (!eligibility.closing()) {
                rejoin();
            }
        }
    }
}
