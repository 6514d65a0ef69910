package io.neli.sample.lab.history;

import java.util.List;

import io.neli.sample.lab.history.Term.End;
import org.jspecify.annotations.Nullable;

/**
 * The terms of one role, and what lies between them.
 *
 * <p>A term ends with what is heard first: the kill, its leader's own word, or the next leader's. What is heard of it
 * later changes nothing, but for a handover: two processes tell of its two ends, so they may be heard the other way round.
 */
final class RoleTimeline {

    /** How much later a handover's beginning may be heard than its end. */
    private static final long HEARD_LATE = 1000;

    private final String role;
    private final long lease;
    private final Availability availability;

    private final Bounded<Term> former = new Bounded<>();
    private final Bounded<Gap> gaps = new Bounded<>();
    private final Bounded<Change> changes = new Bounded<>();
    private final Bounded<Long> planned = new Bounded<>();
    private final Bounded<Long> unplanned = new Bounded<>();

    private @Nullable Term latest;

    /** What was done to the latest leader, and why it handed over. */
    private @Nullable Fault fault;

    private @Nullable Cause handover;

    /** Since when nobody leads; while the leader is frozen, only if that costs it the lead. */
    private @Nullable Long lostAt;

    RoleTimeline(String role, long lease, Availability availability) {
        this.role = role;
        this.lease = lease;
        this.availability = availability;
    }

    void acquired(String instance, long token, long at) {
        Term last = latest;
        if (last != null && token <= last.token()) {
            return; // heard late
        }
        if (last != null) {
            long loss = lostAt == null ? at : lostAt;
            if (lostAt != null) {
                gaps.add(new Gap(role, loss, Math.max(loss, at)));
            }
            former.add(last.lasts() ? last.ended(loss, End.SUPERSEDED) : last);
            add(change(last, Term.begun(role, instance, token, at), loss));
        }
        latest = Term.begun(role, instance, token, at);
        fault = null;
        handover = null;
        lostAt = null;
    }

    private Change change(Term from, Term to, long loss) {
        Fault explanation = fault != null && fault.explains(loss, lease) ? fault : null;
        if (handover != null && explanation != null && explanation.isUndone()) {
            explanation = null;
        }
        long begin = explanation == null ? loss : explanation.at();
        boolean unexplained = explanation == null && handover == null;
        if (availability.brokerWasAway(begin, unexplained ? lease : 0)) {
            return change(from, to, Cause.BROKER, false, availability.brokerBack(begin));
        }
        long possible = availability.candidatesSince(begin);
        if (explanation != null) {
            return change(from, to, explanation.cause(), false, possible);
        }
        return handover != null
                ? change(from, to, handover, true, possible)
                : change(from, to, Cause.OTHER, false, possible);
    }

    private Change change(Term from, Term to, Cause cause, boolean isPlanned, long begin) {
        long millis = Math.max(0, to.from() - begin);
        return new Change(role, to.from(), from.instance(), to.instance(), to.token(), cause, isPlanned, millis);
    }

    private void add(Change change) {
        changes.add(change);
        if (change.cause().isMeasured() && availability.hadCandidatesSince(change.at() - change.millis())) {
            (change.planned() ? planned : unplanned).add(change.millis());
        }
    }

    void revoked(long token, long at, Cause cause) {
        Term term = latest;
        if (term != null && term.token() == token && term.lasts()) {
            handover = cause;
            lose(term, at, End.REVOKED);
        } else if (!changes.isEmpty()) {
            revokedLate(token, at, cause);
        }
    }

    /** The next leader's word was heard before this one. */
    private void revokedLate(long token, long at, Cause cause) {
        Term term = former.last();
        Change change = changes.last();
        if (term.token() == token
                && term.end() == End.SUPERSEDED
                && change.cause() == Cause.OTHER
                && at <= change.at() + HEARD_LATE) {
            former.replaceLast(term.ended(change.at(), End.REVOKED));
            changes.removeLast();
            add(new Change(role, change.at(), change.from(), change.to(), change.token(), cause, true, 0));
        }
    }

    void fenced(long token, long at) {
        Term term = latest;
        if (term != null && term.token() == token && term.lasts()) {
            Fault cause = fault;
            boolean frozen = cause != null && cause.cause() == Cause.FREEZE && cause.explains(at, lease);
            lose(term, cause != null && frozen ? cause.at() : at, End.FENCED);
        }
    }

    /** KILL, FREEZE or CUT. Who hands over still leads as far as the others can tell, so that counts too. */
    void faulted(String instance, Cause cause, long at) {
        Term term = latest;
        if (term == null || !term.instance().equals(instance) || !(term.lasts() || term.end() == End.REVOKED)) {
            return;
        }
        if (fault == null || fault.isUndone()) { // the first one counts
            fault = new Fault(cause, at);
        }
        if (term.lasts() && cause == Cause.KILL) {
            lose(term, lostAt == null ? at : lostAt, End.KILLED);
        } else if (cause == Cause.FREEZE && lostAt == null) {
            lostAt = Math.max(at, term.from());
        }
    }

    /** Thawed or healed; whether that was in time will be seen. */
    void recovered(String instance, Cause from, long at) {
        Term term = latest;
        if (term == null || !term.instance().equals(instance) || fault == null || fault.isUndone()) {
            return;
        }
        if (fault.cause() == from) {
            fault = fault.undone(at);
        }
        if (from == Cause.FREEZE && term.lasts()) {
            lostAt = null;
        }
    }

    /**
     * Its process has ended, perhaps without a word.
     *
     * @param asked whether it was asked to
     */
    void exited(String instance, long at, boolean asked) {
        Term term = latest;
        if (term != null && term.lasts() && term.instance().equals(instance)) {
            handover = asked ? Cause.STOP : null;
            lose(term, lostAt == null ? at : lostAt, End.KILLED);
        }
    }

    private void lose(Term term, long at, End how) {
        latest = term.ended(at, how);
        lostAt = Math.max(at, term.from());
    }

    void forgetBefore(long moment) {
        former.removeIf(term -> term.to() != null && term.to() < moment);
        gaps.removeIf(gap -> gap.to() != null && gap.to() < moment);
        changes.removeIf(change -> change.at() < moment);
    }

    List<Term> terms() {
        return latest == null ? former.list() : former.listAnd(latest);
    }

    List<Gap> gaps() {
        return lostAt == null ? gaps.list() : gaps.listAnd(new Gap(role, lostAt, null));
    }

    List<Change> changes() {
        return changes.list();
    }

    Statistics statistics() {
        return new Statistics(role, Summary.of(planned.list()), Summary.of(unplanned.list()));
    }
}
