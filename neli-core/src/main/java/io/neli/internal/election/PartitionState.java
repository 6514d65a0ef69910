package io.neli.internal.election;

import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * Everything a member knows of one partition. Immutable.
 *
 * @param logs the state of each log of the partition
 * @param leadership whether this member leads it
 * @param eligibility whether this member is eligible for it
 * @param handover the last handover by this member
 * @param fenceHistory the consequences of earlier fences
 * @param enough how many of the logs that count a member must hold to lead
 * @param wasEligible whether this member was eligible for it after the last step
 */
public record PartitionState(
        List<LogState> logs,
        OwnLeadership leadership,
        Eligibility eligibility,
        Handover handover,
        FenceHistory fenceHistory,
        int enough,
        boolean wasEligible) {

    static PartitionState initial(int logs, Eligibility eligibility) {
        return new PartitionState(
                Collections.nCopies(logs, LogState.INITIAL),
                OwnLeadership.NONE,
                eligibility,
                Handover.NONE,
                FenceHistory.NONE,
                logs,
                false);
    }

    /** This member's state. */
    public State state() {
        if (leadership.leads()) {
            return leadership.state();
        }
        for (LogState log : logs) {
            if (log.ownTerm().exists()) {
                return State.CLAIMED;
            }
        }
        return State.STANDBY;
    }

    /** Whether this member holds enough of the logs at that moment to lead. */
    public boolean isHeldAt(Moment now) {
        int held = 0;
        for (LogState log : logs) { // asked at each call of isLeader(): allocates nothing
            held += log.counts() && log.isHeldAt(now) ? 1 : 0;
        }
        return held >= enough;
    }

    /** The term that this member leads at that moment; {@link Term#NONE} if it does not lead. */
    public long leadingAt(Moment now) {
        return leadership.state() == State.LEADING && isHeldAt(now) ? leadership.token() : Term.NONE;
    }

    /**
     * Whether work of that term may go on at that moment: it is led or handed over, and nobody else leads.
     *
     * @param exclusive whether nobody else may lead; if not, work goes on without a lease until the handover ends
     */
    public boolean lastsAt(Moment now, long token, boolean exclusive) {
        return leadership.leads() && leadership.token() == token && (isHeldAt(now) || !exclusive);
    }

    /** The term in which this member is LEADING, whether its lease lasts or not; {@link Term#NONE} if it is not. */
    public long ledTerm() {
        return leadership.state() == State.LEADING ? leadership.token() : Term.NONE;
    }

    /** How long this member's lease lasts after that moment; zero unless it is LEADING or DRAINING. */
    public Duration leaseLeftAt(Moment now) {
        if (!leadership.leads()) {
            return Duration.ZERO;
        }
        return ofMajority(lease -> lease.leftAt(now), Duration.ZERO);
    }

    /** How long this member has led at that moment, at most until the end of its lease; zero unless it is LEADING. */
    public Duration ledFor(Moment now) {
        return leadership.state() == State.LEADING
                ? leadership.since().until(MonotonicTime.earlier(now.time(), leaseUntil()))
                : Duration.ZERO;
    }

    private MonotonicTime leaseUntil() {
        return ofMajority(Lease::until, MonotonicTime.PAST);
    }

    /** What as many of the leases on the logs reach as one needs to lead, the longest ones first. */
    private <T extends Comparable<? super T>> T ofMajority(Function<Lease, T> value, T notHeld) {
        return logs.stream()
                .map(log -> log.counts() && log.ownTerm().isHeld()
                        ? value.apply(log.ownTerm().lease())
                        : notHeld)
                .sorted(Comparator.reverseOrder())
                .skip(enough - 1L)
                .findFirst()
                .orElse(notHeld);
    }

    /** The latest term, by its token, in any of the logs; null if none is known. */
    public @Nullable Term term() {
        return logs.stream()
                .map(LogState::term)
                .filter(Objects::nonNull)
                .max(Comparator.comparingLong(Term::token))
                .orElse(null);
    }

    /** {@link LogView#otherConfig} of any log. */
    public @Nullable Term otherConfig(MemberId self, PartitionConfig own, Moment now) {
        return logs.stream()
                .map(LogState::view)
                .filter(Objects::nonNull)
                .map(log -> log.otherConfig(self, own, now.time()))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** The logs that have been read and do not count: the others do not know them. */
    public List<Integer> logsCreatedAgain() {
        return IntStream.range(0, logs.size())
                .filter(log -> logs.get(log).caughtUp() && !logs.get(log).counts())
                .boxed()
                .toList();
    }

    /** Whether that one of its logs is open. */
    public boolean isOpen(int log) {
        return logs.get(log).isOpen();
    }

    /** The next offset of that one of its logs that will be read; 0 while it is not open. */
    public long position(int log) {
        return logs.get(log).position();
    }

    /** The member that should lead, by the group's last assignment; null if there is none. */
    public @Nullable MemberHash owner() {
        return logs.get(0).ownership().owner();
    }

    /** The term that any member leads at that moment, as far as this one knows; null if none does. */
    public @Nullable Term ledAt(Moment now, MemberId self) {
        if (leadership.leads() && isHeldAt(now)) {
            Term own = logs.stream()
                    .filter(log -> log.isHeldAt(now) && (leadership.state() == State.LEADING || !isResigned(log)))
                    .map(LogState::term)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
            if (own != null && own.holder().equals(self)) {
                return own;
            }
        }
        return logs.stream()
                .filter(log -> log.isLedByAnother(self, now.time()))
                .map(LogState::term)
                .filter(Objects::nonNull)
                .max(Comparator.comparingLong(Term::token))
                .orElse(null);
    }

    /**
     * The lease that keeps everybody from leading for much longer than a lease of this member would: its holder is silent, or unknown.
     * Null if there is none.
     */
    public @Nullable Duration awaitedLease(Moment now, MemberId self, Duration ownLease) {
        MonotonicTime soon = now.time().plus(ownLease.multipliedBy(2));
        Duration longest = Duration.ZERO;
        int free = 0;
        for (LogState log : logs) {
            LogView view = log.view();
            if (view == null || soon.hasReached(view.silentLeaseUntil(now.time()))) {
                free++;
            } else {
                longest = LongestLease.longer(longest, view.longestLease());
            }
        }
        return free >= enough || ledAt(now, self) != null ? null : longest;
    }

    /** A non-exclusive leader keeps leading after it has resigned, until it drains. */
    private static boolean isResigned(LogState log) {
        Term term = log.term();
        return term != null && term.resigned();
    }

    /** Whether a majority of the logs has been read to the end that it had when opened. */
    boolean caughtUp() {
        return 2 * logs.stream().filter(LogState::caughtUp).count() > logs.size();
    }

    /** Whether a closing member has nothing left to wait for. */
    boolean isSettledAt(Moment now) {
        return state() == State.STANDBY
                && logs.stream().allMatch(log -> log.outgoing().claim() == null && !log.resignInFlight(now));
    }
}
