package io.neli.internal.election;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.Mode;
import io.neli.internal.election.Election.PartitionAction;
import org.jspecify.annotations.Nullable;

/** A partition's state during one step, and the actions so far. */
final class PartitionContext {

    final MemberId self;
    final ElectionSettings settings;
    final PartitionConfig config;

    final int partition;
    final Moment now;
    final List<LogContext> logs;
    final Campaign campaign = new Campaign(this);
    private final List<PartitionAction> actions = new ArrayList<>();

    OwnLeadership leadership;
    Eligibility eligibility;
    Handover handover;
    FenceHistory fenceHistory;
    private int enough;
    private boolean wasEligible;

    /** Why a log was lost in this step; null if none was. */
    private @Nullable FenceReason lost;

    PartitionContext(
            MemberId self,
            ElectionSettings settings,
            PartitionConfig config,
            int partition,
            PartitionState state,
            Moment now) {
        this.self = self;
        this.settings = settings;
        this.config = config;
        this.partition = partition;
        this.now = now;
        this.logs = IntStream.range(0, state.logs().size())
                .mapToObj(log -> new LogContext(this, log, state.logs().get(log)))
                .toList();
        this.leadership = state.leadership();
        this.eligibility = state.eligibility();
        this.handover = state.handover();
        this.fenceHistory = state.fenceHistory();
        this.enough = state.enough();
        this.wasEligible = state.wasEligible();
    }

    PartitionState state() {
        return new PartitionState(
                logs.stream().map(LogContext::state).toList(),
                leadership,
                eligibility,
                handover,
                fenceHistory,
                enough,
                wasEligible);
    }

    List<PartitionAction> actions() {
        return List.copyOf(actions);
    }

    void act(int log, Action action) {
        actions.add(new PartitionAction(new LogId(partition, log), action));
    }

    boolean hasReached(MonotonicTime time) {
        return now.time().hasReached(time);
    }

    boolean isNonExclusive() {
        return settings.groupConfig().mode() == Mode.NON_EXCLUSIVE;
    }

    /** Whether these are enough to lead by: a majority of the logs that count. */
    boolean isEnough(Predicate<LogContext> which) {
        return count(log -> log.counts && which.test(log)) >= enough;
    }

    /** After something was read: a log may no longer count, or fewer may be enough. */
    void countLogs() {
        if (logs.size() == 1) {
            return;
        }
        LogSet complete = isLogSetComplete() ? logSet() : null;
        enough = complete == null ? logs.size() : settings.groupConfig().majority();
        for (LogContext log : logs) {
            boolean counted = log.counts;
            log.counts = complete == null
                    || complete.identities().get(log.number()) == log.identity().id();
            if (counted && !log.counts && log.ownTerm.isHeld()) {
                lost(FenceReason.LOG_GAP);
            }
        }
    }

    /** Whether the logs that count are agreed on; until then all must be held. */
    boolean isAgreed() {
        return enough < logs.size();
    }

    /** The newest in any log that this member reads; null if there is none. */
    @Nullable
    LogSet logSet() {
        LogSet newest = null;
        for (LogContext log : logs) {
            LogSet read = logSet(log);
            if (read != null && (newest == null || read.isNewerThan(newest))) {
                newest = read;
            }
        }
        return newest;
    }

    private boolean isLogSetComplete() {
        for (LogContext log : logs) {
            LogSet read = logSet(log);
            if (read != null && read.complete()) {
                return true;
            }
        }
        return false;
    }

    private @Nullable LogSet logSet(LogContext log) {
        LogSet read = log.identity().logSet();
        return read != null && read.identities().size() == logs.size() ? read : null;
    }

    /** Asked several times in each step: no stream. */
    private int count(Predicate<LogContext> which) {
        int count = 0;
        for (LogContext log : logs) {
            count += which.test(log) ? 1 : 0;
        }
        return count;
    }

    boolean anyLog(Predicate<LogContext> which) {
        return count(which) > 0;
    }

    boolean isEligible() {
        return eligibility.isEligibleAt(now.time());
    }

    /** Not before the work of its last fenced term has ended, nor next to a member that leads by other rules. */
    boolean mayLead() {
        boolean conflict =
                anyLog(each -> each.log != null && each.log.conflict(self, config, now.time()) != Conflict.NONE);
        return isEligible() && fenceHistory.unfinished() == Term.NONE && !conflict;
    }

    /**
     * Whether it may bid for a log and claim it: a member that cannot reach a majority of them would only keep others out. By a
     * bid on one that it does not reach it finds out when it does again.
     */
    boolean mayHold(LogContext log) {
        return mayLead()
                && leadership.state() != State.DRAINING
                && !(leadership.leads() && newerLeader() != null)
                && (!log.isReached() || isEnough(LogContext::isReached));
    }

    /** Whether it holds some logs, or waits to, so that it needs further ones to lead. */
    boolean isCandidate() {
        return anyLog(log -> log.ownTerm.exists());
    }

    /**
     * Where all logs were empty when this member started, no lease was granted before. One empty log proves nothing: it may have been
     * lost and created again.
     */
    void skipUnreadLeases() {
        if (logs.stream().allMatch(each -> each.log != null && each.log.wasEmpty())
                && (logs.size() == 1 || isStart())) {
            logs.forEach(each -> each.log = Objects.requireNonNull(each.log).withoutUnreadLeases());
        }
    }

    /** Whether none of the logs was opened before, and all were at about the same time. */
    private boolean isStart() {
        MonotonicTime first = MonotonicTime.NEVER;
        for (LogContext each : logs) {
            if (each.log == null || !each.carried.equals(Carried.NONE)) {
                return false;
            }
            first = MonotonicTime.earlier(first, each.log.unreadLeases().answeredAt());
        }
        return !hasReached(first.plusNanos(settings.leaseDuration().toNanos() / 4));
    }

    /** Until when another lease than the holders' may last in any of the logs that this member reads. */
    MonotonicTime othersBound() {
        MonotonicTime latest = MonotonicTime.PAST;
        for (LogContext each : logs) {
            latest = each.log == null ? latest : MonotonicTime.later(latest, each.log.othersBound());
        }
        return latest;
    }

    /** The consumer group's last assignment, which is the same for all logs. */
    Ownership ownership() {
        return logs.get(0).ownership;
    }

    /** Whether another member leads by that log, unless it has led by another one, too, and resigned it. */
    boolean isLedByAnother(LogView log) {
        Term term = log.term();
        return term != null
                && log.isLed()
                && !term.resigned()
                && !log.isHeldBy(self)
                && !anyLog(each -> hasResigned(each, term));
    }

    /** The term of another member that leads by some log, and began later than this one's; null if there is none. */
    @Nullable
    Term newerLeader() {
        for (LogContext each : logs) {
            LogView view = each.log;
            Term term = view == null || !isLedByAnother(view) ? null : view.term();
            if (term != null && term.token() > leadership.token()) {
                return term;
            }
        }
        return null;
    }

    /** Heartbeats with something new are due. */
    void heartbeatNow() {
        for (LogContext log : logs) {
            if (log.ownTerm.exists()) {
                log.ownTerm = log.ownTerm.heartbeatAt(now.time());
            }
        }
    }

    private static boolean hasResigned(LogContext log, Term term) {
        LogView view = log.log;
        if (view == null || !view.isLed()) {
            return false;
        }
        Term other = view.term();
        return other != null
                && other.resigned()
                && other.holder().equals(term.holder())
                && other.token() >= term.token();
    }

    /** A log was lost while it was held. */
    void lost(FenceReason reason) {
        lost = lost == null ? reason : lost;
    }

    @Nullable
    FenceReason lostBy() {
        return lost;
    }

    /** Ends this member's term at once. Its work may still be running, and only this member waits for it. */
    void fence(FenceReason reason) {
        announce(new LeaderFenced(role(), partition, leadership.token(), reason));
        fenceHistory = fenceHistory.fenced(leadership, settings.leaseDuration(), now.time());
        leadership = OwnLeadership.NONE;
        for (LogContext log : logs) {
            if (log.ownTerm.isHeld()) {
                log.ownTerm = log.ownTerm.dropped();
            }
        }
    }

    void acquired() {
        announce(new LeaderAcquired(role(), partition, leadership.token()));
    }

    void revoked(RevokeReason reason) {
        announce(new LeaderRevoked(role(), partition, leadership.token(), reason));
    }

    private void announce(LeaderEvent event) {
        act(0, new Action.Announce(event));
    }

    /** The rules do not know which roles map to the partition. */
    private String role() {
        return "partition-" + partition;
    }

    void rejoin() {
        act(0, new Action.Rejoin());
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
