package io.neli.internal.election.exhaustive;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.Mode;
import io.neli.internal.election.Action;
import io.neli.internal.election.Announced;
import io.neli.internal.election.Election;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.ElectionState;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.LogState;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.PartitionState;
import io.neli.internal.election.State;
import io.neli.internal.election.Term;
import io.neli.internal.election.Violation;

/**
 * One member, and what it has sent that may still reach a log. Immutable.
 *
 * @param start the number of the instance's start, which replaces the random incarnation, so the jitter is fixed
 * @param readsRecreated whether it reads the new instance of a log that was created again
 * @param known what the election knows
 * @param announced what it has announced
 * @param claims the offsets of the claims with which it led last, by log; {@link Term#NONE} for a log that it did not
 *     lead with
 * @param working the terms whose work should end but may still run
 * @param inFlight what it and its earlier starts have sent, by log, oldest first
 */
record Member(
        int start,
        boolean readsRecreated,
        Values known,
        Announced announced,
        List<Long> claims,
        List<Long> working,
        List<List<LogRecord>> inFlight) {

    ElectionState state() {
        return known.state();
    }

    static GroupConfig groupConfig(int logs) {
        return new GroupConfig(Mode.EXCLUSIVE, 1, "none", logs);
    }

    static MemberId id(int who, int start) {
        return new MemberId(String.valueOf((char) ('A' + who)), new UUID(0, 1 + who + 10L * start));
    }

    static Election election(int who, int start, int logs) {
        return new Election(
                id(who, start),
                new ElectionSettings(
                        Clocks.TICK.multipliedBy(Clocks.LEASE),
                        Clocks.TICK,
                        Clocks.TICK.multipliedBy(Clocks.LEASE - 1),
                        groupConfig(logs),
                        Map.of()));
    }

    static Member started(int start, ElectionState initial, List<List<LogRecord>> inFlight) {
        List<Long> none = Collections.nCopies(inFlight.size(), Term.NONE);
        return new Member(start, false, new Values(initial), Announced.NOTHING, none, List.of(), inFlight);
    }

    PartitionState partition() {
        return state().partitions().get(0);
    }

    /** Whether it leads, or keeps others out while its work ends. */
    boolean holdsAt(Moment now) {
        boolean drains = partition().state() == State.DRAINING && partition().isHeldAt(now);
        return drains || partition().leadingAt(now) != Term.NONE;
    }

    boolean isDueAt(Moment now) {
        return now.time().hasReached(state().deadline());
    }

    Member withInFlight(int log, List<LogRecord> sent) {
        List<List<LogRecord>> next = new ArrayList<>(inFlight);
        next.set(log, List.copyOf(sent));
        return new Member(start, readsRecreated, known, announced, claims, working, List.copyOf(next));
    }

    Member readingRecreated() {
        return new Member(start, true, known, announced, claims, working, inFlight);
    }

    Member workEnded(long token) {
        List<Long> rest = working.stream().filter(each -> each != token).toList();
        return new Member(start, readsRecreated, known, announced, claims, rest, inFlight);
    }

    /** The member after the actions of a step. */
    Member after(Election.Step step, Moment now) {
        Announced next = announced;
        PartitionState nextPartition = step.state().partitions().get(0);
        List<Long> works = new ArrayList<>(working);
        Member sending = this;
        for (Election.PartitionAction each : step.actions()) {
            int log = each.log().log();
            if (each.action() instanceof Action.Append append) {
                if (append.content() instanceof LogRecord.Resign resign && resign.term() == claims.get(log)) {
                    next = next.resigned(works);
                }
                sending = sending.sent(log, append.content());
            } else if (each.action() instanceof Action.Announce announce) {
                LeaderEvent event = announce.event();
                next = next.after(event, works);
                if (!(event instanceof LeaderAcquired) && !works.contains(event.token())) {
                    works.add(event.token());
                }
            }
        }
        next.agreesWith(nextPartition.state());
        List<Long> ledBy = nextPartition.leadingAt(now) == Term.NONE ? claims : ledBy(nextPartition, now);
        Member after = new Member(
                start, readsRecreated, new Values(step.state()), next, ledBy, List.copyOf(works), sending.inFlight);
        if (after.isDueAt(now)) {
            throw new Violation("asks to be called at " + step.state().deadline() + ", which is not ahead of " + now);
        }
        return after;
    }

    /** For a log that it no longer holds, keeps the claim with which it led in the same term. */
    private List<Long> ledBy(PartitionState leading, Moment now) {
        boolean sameTerm = leading.leadingAt(now) == partition().ledTerm();
        List<Long> next = new ArrayList<>();
        for (int log = 0; log < claims.size(); log++) {
            LogState held = leading.logs().get(log);
            Term its = held.isHeldAt(now) ? held.term() : null;
            next.add(its != null ? (Long) its.offset() : sameTerm ? claims.get(log) : (Long) Term.NONE);
        }
        return List.copyOf(next);
    }

    private Member sent(int log, LogRecord record) {
        if (record instanceof LogRecord.Hello) {
            return this; // a hello has no effect
        }
        List<LogRecord> longer = new ArrayList<>(inFlight.get(log));
        longer.add(record);
        return withInFlight(log, longer);
    }
}
