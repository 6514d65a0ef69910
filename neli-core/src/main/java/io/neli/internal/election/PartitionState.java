package io.neli.internal.election;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * Everything a member knows about one partition. A step changes its own copy. Once the step has ended, that copy never
 * changes again, so any thread may read it.
 */
public final class PartitionState extends StepState {

    List<LogState> logs;
    /** What the application has asked for on this partition only. */
    Restraint restraint = Restraint.NONE;
    /** Whether this member is eligible for the partition, and if not, why. */
    Eligibility eligibility;
    /** Whether it was eligible after the last step. */
    boolean wasEligible;
    /** When the group's last assignment finished; past before the first. */
    MonotonicTime assignedAt = MonotonicTime.PAST;
    /** What that assignment decided. */
    MemberPlan.Share share = MemberPlan.Share.NONE;
    /** Whether no other member was eligible. False if this member neither owned nor led the partition. */
    boolean alone;
    /** The owner to which this member handed over last; null once it has claimed. */
    @Nullable
    MemberHash handedTo;
    /** When it did. */
    MonotonicTime handedAt = MonotonicTime.PAST;
    /** The consequences of earlier fences. */
    FenceHistory fenceHistory = FenceHistory.NONE;
    /** How many of the logs that count a member must hold to lead. */
    int enough;
    /** When the next step is due. */
    MonotonicTime deadline = MonotonicTime.NEVER;

    // This member's leadership, or its attempt at it.

    /** LEADING or DRAINING, or else STANDBY. */
    State leadership = State.STANDBY;
    /** The fencing token of the term it leads, or else of its claims; {@link Term#NONE} if there are none. */
    long token = Term.NONE;
    /** When it began to lead. */
    MonotonicTime since = MonotonicTime.NEVER;
    /** When the handover times out. */
    MonotonicTime drainUntil = MonotonicTime.NEVER;
    /** Whether the work of a draining term has ended. */
    boolean drained;
    /** Whether it has resigned in non-exclusive mode, and keeps leading until another member does. */
    boolean steppingDown;
    /** The latest set of logs that it has made in this term; null if it has made none. */
    @Nullable
    LogSet logSet;

    PartitionState(int quorum, Eligibility eligibility) {
        this.logs = IntStream.range(0, quorum).mapToObj(LogState::new).toList();
        this.eligibility = eligibility;
        this.enough = quorum;
    }

    PartitionState copy() {
        PartitionState copy = (PartitionState) clone();
        copy.logs = new ArrayList<>(logs);
        copy.logs.replaceAll(LogState::copy);
        return copy;
    }

    /** Whether it leads or drains. */
    boolean inTerm() {
        return leadership != State.STANDBY;
    }

    void assigned(MonotonicTime now, MemberPlan.Share decided, boolean isAlone) {
        assignedAt = now;
        share = decided;
        alone = isAlone;
        logs.forEach(LogState::forgetAssignment);
    }

    boolean isAssigned() {
        return !assignedAt.equals(MonotonicTime.PAST);
    }

    void handedOver(@Nullable MemberHash to, MonotonicTime at) {
        handedTo = to;
        handedAt = at;
    }

    void begin(MonotonicTime now) {
        leadership = State.LEADING;
        resetTerm(now);
    }

    private void resetTerm(MonotonicTime begun) {
        since = begun;
        drainUntil = MonotonicTime.NEVER;
        drained = false;
        steppingDown = false;
        logSet = null;
    }

    /** This member no longer leads, and claims nothing. */
    void end() {
        leadership = State.STANDBY;
        token = Term.NONE;
        resetTerm(MonotonicTime.NEVER);
    }

    public List<LogState> logs() {
        return logs;
    }

    public Eligibility eligibility() {
        return eligibility;
    }

    public int enough() {
        return enough;
    }

    public State state() {
        if (inTerm()) {
            return leadership;
        }
        return logs.stream().anyMatch(LogState::isClaimed) ? State.CLAIMED : State.STANDBY;
    }

    /** Whether this member holds enough of the logs at that moment to lead. */
    public boolean isHeldAt(Moment now) {
        int held = 0;
        for (LogState log : logs) { // runs at each call of isLeader(), so it allocates nothing
            held += log.counts && log.isHeldAt(now) ? 1 : 0;
        }
        return held >= enough;
    }

    /** The term that this member leads at that moment; {@link Term#NONE} if it does not lead. */
    public long leadingAt(Moment now) {
        return leadership == State.LEADING && isHeldAt(now) ? token : Term.NONE;
    }

    /**
     * Whether work of that term may continue at that moment: the term is LEADING or DRAINING, and nobody else leads.
     *
     * @param exclusive whether the mode is exclusive; if not, work continues without a lease until the handover ends
     */
    public boolean lastsAt(Moment now, long ofTerm, boolean exclusive) {
        return inTerm() && token == ofTerm && (isHeldAt(now) || !exclusive);
    }

    /** The term in which this member is LEADING, whether its lease lasts or not; {@link Term#NONE} if it is not. */
    public long ledTerm() {
        return leadership == State.LEADING ? token : Term.NONE;
    }

    /** How long this member's lease lasts after that moment; zero unless it is LEADING or DRAINING. */
    public Duration leaseLeftAt(Moment now) {
        return inTerm() ? ofMajority(lease -> lease.leftAt(now), Duration.ZERO) : Duration.ZERO;
    }

    /** How long this member has led at that moment, at most up to the end of its lease; zero unless it is LEADING. */
    public Duration ledFor(Moment now) {
        return leadership == State.LEADING
                ? since.until(MonotonicTime.earlier(now.time(), ofMajority(Lease::until, MonotonicTime.PAST)))
                : Duration.ZERO;
    }

    /** The largest value that the leases of enough logs to lead reach; a log that is not held has {@code notHeld}. */
    private <T extends Comparable<? super T>> T ofMajority(Function<Lease, T> value, T notHeld) {
        return logs.stream()
                .map(log -> log.counts && log.held ? value.apply(log.lease) : notHeld)
                .sorted(Comparator.reverseOrder())
                .skip(enough - 1L)
                .findFirst()
                .orElse(notHeld);
    }

    /** The latest term, by its token, in any of the logs; null if none is known. */
    public @Nullable Term term() {
        return latestTerm(log -> true);
    }

    /** The latest term, by its token, in the logs that match; null if none is known. */
    @Nullable
    Term latestTerm(Predicate<LogState> which) {
        return logs.stream()
                .filter(which)
                .map(LogState::term)
                .filter(Objects::nonNull)
                .max(Comparator.comparingLong(Term::token))
                .orElse(null);
    }

    /** {@link LogView#otherConfig} of the first log that has one. */
    public @Nullable Term otherConfig(MemberId self, PartitionConfig own, Moment now) {
        return logs.stream()
                .map(log -> log.view.otherConfig(self, own, now.time()))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Whether that log has been read but does not count, because the other logs do not know it. */
    public boolean isCreatedAgain(int log) {
        return logs.get(log).view.caughtUp() && !logs.get(log).counts;
    }

    /** The member that should lead, by the group's last assignment; null if none. */
    public @Nullable MemberHash owner() {
        return share.owner();
    }

    /** The term that any member leads at that moment, as far as this one knows; null if none does. */
    public @Nullable Term ledAt(Moment now, MemberId self) {
        if (inTerm() && isHeldAt(now)) { // a non-exclusive leader that has resigned counts until it drains
            Term own = logs.stream()
                    .filter(log -> log.isHeldAt(now) && (leadership == State.LEADING || !log.view.resigned()))
                    .map(LogState::term)
                    .filter(term -> term != null && term.holder().equals(self)) // another may have claimed one of them
                    .findFirst()
                    .orElse(null);
            if (own != null) {
                return own;
            }
        }
        return latestTerm(log -> log.isLedByAnother(self, now.time()));
    }

    /**
     * How long the leases may be that keep everybody from leading for more than two of this member's leases from now.
     * Their holders are silent or unknown. Null if no leases do.
     */
    public @Nullable Duration awaitedLease(Moment now, MemberId self, Duration ownLease) {
        MonotonicTime soon = now.time().plus(ownLease.multipliedBy(2));
        Duration longest = Duration.ZERO;
        int free = 0;
        for (LogState log : logs) {
            if (!log.isOpen() || soon.hasReached(log.view.silentLeaseUntil(now.time()))) {
                free++;
            } else {
                longest = LongestLease.longer(longest, log.view.longestLease());
            }
        }
        return free >= enough || ledAt(now, self) != null ? null : longest;
    }

    /** The most serious conflict in any log. */
    Conflict conflict(MemberId self, PartitionConfig own, Moment now) {
        Conflict found = Conflict.NONE;
        for (LogState log : logs) {
            found = found.orWorse(log.view.conflict(self, own, now.time()));
        }
        return found;
    }

    /** Whether a majority of the logs has been read to the end that it had when opened. */
    boolean caughtUp() {
        return 2 * logs.stream().filter(log -> log.view.caughtUp()).count() > logs.size();
    }

    /** Whether a closing member has nothing left to wait for. */
    boolean isSettledAt(Moment now) {
        return state() == State.STANDBY
                && logs.stream()
                        .allMatch(log -> log.claim == null
                                && !log.resignInFlight(now)
                                && !log.awaitsWork(fenceHistory.unfinished(), now));
    }
}
