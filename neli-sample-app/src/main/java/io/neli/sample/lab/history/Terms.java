package io.neli.sample.lab.history;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.neli.sample.lab.history.HistoryView.Change;
import io.neli.sample.lab.history.HistoryView.End;
import io.neli.sample.lab.history.HistoryView.Gap;
import io.neli.sample.lab.history.HistoryView.Term;
import org.jspecify.annotations.Nullable;

/**
 * The terms, and the gaps and changes between them.
 *
 * <p>A term ends with the first observation of its end: the kill, a report of its leader, or a report of the next
 * leader. Later observations change nothing.
 */
final class Terms {

    private final long lease;
    private final Availability availability;
    private final List<Term> former = new ArrayList<>();
    private final List<Gap> gaps = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();
    private final List<Change> measured = new ArrayList<>();
    private @Nullable Term latest;

    /** The fault of the latest leader, and its reason to hand over. */
    private @Nullable Fault fault;

    private @Nullable Cause handover;

    /** The start of the current gap; while the leader is frozen, it is a gap only if the freeze costs leadership. */
    private @Nullable Long lostAt;

    Terms(long lease, Availability availability) {
        this.lease = lease;
        this.availability = availability;
    }

    /** KILL, FREEZE or CUT of the leader, which may cost it leadership. */
    private record Fault(Cause cause, long at) {}

    void acquired(String instance, long token, long at) {
        Term last = latest;
        if (last != null && token <= last.token()) {
            return; // observed late
        }
        Term next = new Term(instance, token, at, null, null);
        if (last != null) {
            long loss = lostAt == null ? at : lostAt;
            if (lostAt != null) {
                gaps.add(new Gap(loss, Math.max(loss, at)));
            }
            former.add(last.lasts() ? last.ended(loss, End.SUPERSEDED) : last);
            add(change(last, next, loss));
        }
        latest = next;
        fault = null;
        handover = null;
        lostAt = null;
    }

    private Change change(Term from, Term to, long loss) {
        long begin = fault == null ? loss : fault.at();
        boolean unexplained = fault == null && handover == null;
        if (unexplained
                ? availability.aBrokerFailedSince(begin - lease) // recent enough to be the cause
                : availability.brokersFailedSince(begin)) {
            return change(from, to, Cause.BROKER, false, availability.brokersWorkAfter(begin));
        }
        long possible = availability.candidatesAfter(begin);
        if (fault != null) {
            return change(from, to, fault.cause(), false, possible);
        }
        return change(from, to, handover == null ? Cause.OTHER : handover, handover != null, possible);
    }

    private static Change change(Term from, Term to, Cause cause, boolean isPlanned, long begin) {
        long millis = Math.max(0, to.from() - begin);
        return new Change(to.from(), from.instance(), to.instance(), to.token(), cause, isPlanned, millis);
    }

    private void add(Change change) {
        changes.add(change);
        if (change.cause().isMeasured() && availability.hadCandidatesBefore(change.at() - change.millis())) {
            measured.add(change);
        }
    }

    void revoked(long token, long at, Cause cause) {
        Term term = latest;
        if (term != null && term.token() == token && term.lasts()) {
            handover = cause;
            lose(term, at, End.REVOKED);
        }
    }

    void fenced(long token, long at) {
        Term term = latest;
        if (term != null && term.token() == token && term.lasts()) {
            lose(term, lostAt == null ? at : lostAt, End.FENCED);
        }
    }

    /** KILL, FREEZE or CUT. It counts during a handover too: the others cannot take over before that ends. */
    void faulted(String instance, Cause cause, long at) {
        Term term = latest;
        if (term == null || !term.instance().equals(instance) || !(term.lasts() || term.end() == End.REVOKED)) {
            return;
        }
        if (fault == null) { // only the first one counts
            fault = new Fault(cause, at);
        }
        if (term.lasts() && cause == Cause.KILL) {
            lose(term, lostAt == null ? at : lostAt, End.KILLED);
        } else if (cause == Cause.FREEZE && lostAt == null) {
            lostAt = Math.max(at, term.from());
        }
    }

    /** Clears a fault that ended in time; otherwise the loss of leadership would have been observed before. */
    void recovered(String instance, Cause from) {
        Term term = latest;
        if (term == null || !term.instance().equals(instance) || !term.lasts()) {
            return;
        }
        if (fault != null && fault.cause() == from) {
            fault = null;
        }
        if (from == Cause.FREEZE) {
            lostAt = null;
        }
    }

    /**
     * The process has ended, possibly without a report.
     *
     * @param asked whether it was asked to end
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
        return Stream.concat(former.stream(), Stream.ofNullable(latest)).toList();
    }

    List<Gap> gaps() {
        Stream<Gap> open = Stream.ofNullable(lostAt).map(from -> new Gap(from, null));
        return Stream.concat(gaps.stream(), open).toList();
    }

    List<Change> changes() {
        return List.copyOf(changes);
    }

    List<Change> measured() {
        return List.copyOf(measured);
    }
}
