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
    /** The fingerprint of this member's configuration. */
    final String groupConfig;

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
    Carried carried;
    FenceHistory fenceHistory;
    private boolean wasEligible;

    StepContext(
            MemberId self,
            ElectionSettings settings,
            String groupConfig,
            int partition,
            PartitionState state,
            Moment now) {
        this.self = self;
        this.settings = settings;
        this.groupConfig = groupConfig;
        this.partition = partition;
        this.now = now;
        this.log = state.log();
        this.bids = state.bids();
        this.ownTerm = state.ownTerm();
        this.outgoing = state.outgoing();
        this.ownership = state.ownership();
        this.eligibility = state.eligibility();
        this.carried = state.carried();
        this.fenceHistory = state.fenceHistory();
        this.wasEligible = state.wasEligible();
    }

    PartitionState state() {
        return new PartitionState(
                log, bids, ownTerm, outgoing, ownership, eligibility, carried, fenceHistory, wasEligible);
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

    /** Not before the work of its last fenced term has ended, nor next to a member that leads by other rules. */
    boolean mayLead() {
        boolean conflict = log != null && log.conflict(self, groupConfig, time()) != Conflict.NONE;
        return isEligible() && fenceHistory.unfinished() == Term.NONE && !conflict;
    }

    boolean isNonExclusive() {
        return settings.groupConfig().mode() == Mode.NON_EXCLUSIVE;
    }

    /** Whether this member's term is current and not resigned. Otherwise nothing that it writes renews its lease. */
    boolean holds(LogView log) {
        return log.termOffset() == ownTerm.offset() && !log.resigned() && outgoing.resigned() != ownTerm.offset();
    }

    /** Ends this member's term at once. Its work may still be running, and only this member waits for it. */
    void fence(FenceReason reason) {
        announce(new LeaderFenced(role(), partition, ownTerm.token(), reason));
        fenceHistory = fenceHistory.fenced(ownTerm, settings.leaseDuration(), time());
        ownTerm = ownTerm.standby();
    }

    /** Larger than any token that this member knows; where all records are gone, only the wall clock counts. */
    long nextToken(LogView view) {
        return Math.max(view.largestToken() + 1, now.wallMillis());
    }

    /** For a record that is not of a term of its own. */
    LogRecord.Sender sender(LogView view) {
        return sender(view.largestToken(), view);
    }

    LogRecord.Sender sender(long token, LogView view) {
        return new LogRecord.Sender(self, token, view.longestLease());
    }

    /** What the next claim or heartbeat grants. */
    LogRecord.Grant grant() {
        return new LogRecord.Grant(outgoing.nextSequence(), settings.leaseDuration(), groupConfig, settings.metadata());
    }

    void readFurtherBack() {
        actions.add(new Action.ReadFurtherBack());
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
