package io.neli.internal.election;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.Mode;
import io.neli.internal.election.Election.PartitionAction;
import org.jspecify.annotations.Nullable;

/** One step of a partition: its state, which the rules change, and the actions so far. */
final class PartitionContext {

    final MemberId self;
    final ElectionSettings settings;
    final PartitionConfig config;
    final int number;
    final Moment now;
    final PartitionState partition;
    final List<PartitionAction> actions = new ArrayList<>();

    /** Why this member first lost its hold on a log in this step; null if it lost none. */
    @Nullable
    FenceReason lost;

    /**
     * @param before the state before the step
     * @param now not earlier than in any previous step
     */
    PartitionContext(
            MemberId self,
            ElectionSettings settings,
            PartitionConfig config,
            int number,
            PartitionState before,
            Moment now) {
        this.self = self;
        this.settings = settings;
        this.config = config;
        this.number = number;
        this.partition = before.copy();
        this.now = now;
    }

    List<LogState> logs() {
        return partition.logs;
    }

    void act(LogState log, Action action) {
        actions.add(new PartitionAction(new LogId(number, log.number), action));
    }

    void append(LogState log, LogRecord content) {
        if (!log.awaitsAnswer()) {
            log.unansweredSince = now.time();
        }
        act(log, new Action.Append(content));
    }

    boolean hasReached(MonotonicTime time) {
        return now.time().hasReached(time);
    }

    /** Another step is due then at the latest. */
    void wakeAt(MonotonicTime time) {
        partition.deadline = MonotonicTime.earlier(partition.deadline, time);
    }

    boolean isNonExclusive() {
        return settings.groupConfig().mode() == Mode.NON_EXCLUSIVE;
    }

    /** Whether these logs are enough to lead. Those that do not count are left out. */
    boolean isEnough(Predicate<LogState> which) {
        int count = 0;
        for (LogState log : logs()) { // is called several times in each step, so it uses no stream
            count += log.counts && which.test(log) ? 1 : 0;
        }
        return count >= partition.enough;
    }

    boolean anyLog(Predicate<LogState> which) {
        for (LogState log : logs()) {
            if (which.test(log)) {
                return true;
            }
        }
        return false;
    }

    boolean isEligible() {
        return partition.eligibility.isEligibleAt(now.time());
    }

    /** Whether this member is eligible, no work of a fenced term is running, and there is no conflict. */
    boolean mayLead() {
        return isEligible() && partition.fenceHistory.unfinished() == Term.NONE && !anyLog(this::hasConflict);
    }

    boolean hasConflict(LogState log) {
        return log.view.conflict(self, config, now.time()) != Conflict.NONE;
    }

    /**
     * Whether this member may bid for the log and claim it. One that reaches too few logs would only keep others out.
     * It may still bid for a log that it does not reach: if it reads the bid back, it reaches the log again.
     */
    boolean mayHold(LogState log) {
        return mayLead()
                && partition.leadership != State.DRAINING
                && !(partition.inTerm() && newerLeader() != null)
                && (!isReached(log) || isEnough(this::isReached));
    }

    /** Whether this member holds a log or waits to, so that it wants enough of the others. */
    boolean isCandidate() {
        return anyLog(LogState::isClaimed);
    }

    /**
     * If all logs were empty when this member started, no lease was granted before. One empty log of several proves
     * nothing: it may have been lost and created again.
     */
    void skipUnreadLeases() {
        if (logs().stream().allMatch(log -> log.view.wasEmpty()) && (logs().size() == 1 || isStart())) {
            logs().forEach(log -> log.view.hasUnreadLeases = false);
        }
    }

    /** Whether all logs were opened for the first time, less than a quarter of a lease ago. */
    private boolean isStart() {
        long quarter = settings.leaseDuration().toNanos() / 4;
        return logs().stream().noneMatch(log -> log.view.reopened || hasReached(log.view.openedAt.plusNanos(quarter)));
    }

    /** Whether, as far as this member knows, it reads the log and its records arrive there. */
    boolean isReached(LogState log) {
        return log.view.caughtUp() && !hasReached(reachedUntil(log));
    }

    /** When the log no longer counts as reached, unless a record of this member is read; NEVER if none is awaited. */
    MonotonicTime reachedUntil(LogState log) {
        return log.unansweredSince.plusNanos(settings.leaseDuration().toNanos() / 2);
    }

    /** The largest token that was read in any of the logs, even those that are closed now. */
    long largestToken() {
        long largest = Term.NONE;
        for (LogState log : logs()) {
            largest = Math.max(largest, log.view.largestToken);
        }
        return largest;
    }

    /** For bids, resignations and hellos. */
    LogRecord.Sender sender(LogState log) {
        return sender(log.view.largestToken, log);
    }

    LogRecord.Sender sender(long token, LogState log) {
        return new LogRecord.Sender(self, token, log.view.longestLease());
    }

    /** What a claim or heartbeat grants if it is sent now. */
    LogRecord.Grant grant(Outgoing.Sent sent) {
        return new LogRecord.Grant(sent.sequence(), settings.leaseDuration(), config, settings.metadata());
    }

    /** The identity that this member would give the log: a different one in each term and at each opening. */
    long freshId(LogState log) {
        long opened = log.view.openedAt.nanos();
        long place = number * (long) logs().size() + log.number;
        long id = self.mixed(opened, partition.token, place);
        return id == LogIdentity.NO_ID ? 1 : id;
    }

    /** Until when leases other than the current holders' may last in any of the logs that this member reads. */
    MonotonicTime othersBound() {
        MonotonicTime latest = MonotonicTime.PAST;
        for (LogState log : logs()) {
            latest = log.isOpen() ? MonotonicTime.later(latest, log.view.othersBound()) : latest;
        }
        return latest;
    }

    /** Whether another member leads by that log, and has not resigned that term or a later one in any log. */
    boolean hasUnresignedLeader(LogState log) {
        Term term = log.term();
        return term != null
                && log.view.led
                && !term.resigned()
                && !log.view.isHeldBy(self)
                && !anyLog(each -> hasResigned(each, term));
    }

    private static boolean hasResigned(LogState log, Term term) {
        Term other = log.term();
        return other != null
                && log.view.led
                && other.resigned()
                && other.holder().equals(term.holder())
                && other.token() >= term.token();
    }

    /** A term that another member leads by some log, and that is later than this one's by its token; null if none. */
    @Nullable
    Term newerLeader() {
        for (LogState log : logs()) {
            Term term = log.term();
            if (term != null && hasUnresignedLeader(log) && term.token() > partition.token) {
                return term;
            }
        }
        return null;
    }

    /** Makes heartbeats due now, because they have something new to say. */
    void heartbeatNow() {
        for (LogState log : logs()) {
            if (log.isClaimed()) {
                log.heartbeatAt = now.time();
            }
        }
    }

    /** This member lost a log that it held, for that reason. */
    void lost(FenceReason reason) {
        lost = lost == null ? reason : lost;
    }

    /** Ends this member's term immediately. Its work may still run: this member waits for it, but the others do not. */
    void fence(FenceReason reason) {
        announce(new LeaderFenced(role(), number, partition.token, reason));
        partition.fenceHistory =
                partition.fenceHistory.fenced(partition.token, partition.since, settings.leaseDuration(), now.time());
        partition.end();
        for (LogState log : logs()) {
            if (log.held) {
                log.dropTerm();
            }
        }
    }

    void announce(LeaderEvent event) {
        act(logs().get(0), new Action.Announce(event));
    }

    /** The rules do not know which roles map to the partition. */
    String role() {
        return "partition-" + number;
    }

    void rejoin() {
        act(logs().get(0), new Action.Rejoin());
    }

    /** The group must know whether this member is eligible, unless the member is closing: then it leaves anyway. */
    void rejoinIfEligibilityChanged() {
        if (partition.wasEligible != isEligible()) {
            partition.wasEligible = isEligible();
            if (!partition.eligibility.closing()) {
                rejoin();
            }
        }
    }
}
