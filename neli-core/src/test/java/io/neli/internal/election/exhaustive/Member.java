package io.neli.internal.election.exhaustive;

import java.util.ArrayList;
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
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.PartitionState;
import io.neli.internal.election.State;
import io.neli.internal.election.Term;
import io.neli.internal.election.Violation;

/**
 * One member and what it has sent that may still reach the log; a value.
 *
 * @param start which start of the instance this is; incarnations are numbered, so the jitter drawn from them is fixed
 * @param state what the election knows
 * @param open whether it has opened the log
 * @param announced what it has announced
 * @param term the offset of the claim of the term that it led last
 * @param working the terms of which work may go on that should end
 * @param inFlight what it, and its earlier starts, have sent, oldest first
 */
record Member(
        int start,
        ElectionState state,
        boolean open,
        Announced announced,
        long term,
        List<Long> working,
        List<LogRecord> inFlight) {

    static final GroupConfig GROUP_CONFIG = new GroupConfig(Mode.EXCLUSIVE, 1, "none");

    static MemberId id(int who, int start) {
        return new MemberId(String.valueOf((char) ('A' + who)), new UUID(0, 1 + who + 10L * start));
    }

    static Election election(int who, int start) {
        return new Election(
                id(who, start),
                new ElectionSettings(
                        Clocks.ticks(Clocks.LEASE),
                        Clocks.TICK,
                        Clocks.ticks(Clocks.LEASE - 1),
                        GROUP_CONFIG,
                        Map.of()));
    }

    static Member started(int who, int start, List<LogRecord> inFlight) {
        ElectionState initial = election(who, start).initial(true);
        return new Member(start, initial, false, Announced.NOTHING, Term.NONE, List.of(), inFlight);
    }

    PartitionState partition() {
        return state.partitions().get(0);
    }

    /** Leads, or keeps the others out while its work ends. */
    boolean holdsAt(Moment now) {
        boolean drains = partition().state() == State.DRAINING && partition().isHeldAt(now);
        return drains || partition().leadingAt(now) != Term.NONE;
    }

    boolean isDueAt(Moment now) {
        return now.time().hasReached(state.deadline());
    }

    Member withOpen(boolean nowOpen) {
        return new Member(start, state, nowOpen, announced, term, working, inFlight);
    }

    Member withInFlight(List<LogRecord> sent) {
        return new Member(start, state, open, announced, term, working, sent);
    }

    Member workEnded(long token) {
        List<Long> rest = working.stream().filter(each -> each != token).toList();
        return new Member(start, state, open, announced, term, rest, inFlight);
    }

    /** Carries out what a step asks for. */
    Member after(Election.Step step, Moment now) {
        Announced next = announced;
        long its = term;
        Term known = step.state().partitions().get(0).term();
        List<Long> works = new ArrayList<>(working);
        List<LogRecord> sent = new ArrayList<>(inFlight);
        for (Election.PartitionAction each : step.actions()) {
            if (each.action() instanceof Action.Append append) {
                if (append.content() instanceof LogRecord.Resign resign && resign.term() == its) {
                    next = next.resigned(works);
                }
                if (!(append.content() instanceof LogRecord.Hello)) { // it has no effect
                    sent.add(append.content());
                }
            } else if (each.action() instanceof Action.Announce announce) {
                LeaderEvent event = announce.event();
                next = next.after(event, works);
                if (event instanceof LeaderAcquired) {
                    its = known == null ? Term.NONE : known.offset();
                } else if (!works.contains(event.token())) {
                    works.add(event.token());
                }
            }
        }
        next.agreesWith(step.state().partitions().get(0).state());
        Member after = new Member(start, step.state(), open, next, its, List.copyOf(works), List.copyOf(sent));
        if (after.isDueAt(now)) {
            throw new Violation("asks to be called at " + step.state().deadline() + ", which is not ahead of " + now);
        }
        return after;
    }
}
