package io.neli.protocol;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/** The working copy of one step: lives from the state that comes in to the one that goes out. */
final class Turn {

    final ElectionSettings settings;
    final int partition;
    final Moment now;
    private final List<Action> actions = new ArrayList<>();

    @Nullable
    LogView log;

    Bids bids;
    Tenure tenure;
    Outgoing outgoing;
    Ownership ownership;
    Candidacy candidacy;
    BeforeGap beforeGap;
    Fences fences;
    private boolean stood;

    Turn(ElectionSettings settings, int partition, PartitionState state, Moment now) {
        this.settings = settings;
        this.partition = partition;
        this.now = now;
        this.log = state.log();
        this.bids = state.bids();
        this.tenure = state.tenure();
        this.outgoing = state.outgoing();
        this.ownership = state.ownership();
        this.candidacy = state.candidacy();
        this.beforeGap = state.beforeGap();
        this.fences = state.fences();
        this.stood = state.stood();
    }

    PartitionState state() {
        return new PartitionState(log, bids, tenure, outgoing, ownership, candidacy, beforeGap, fences, stood);
    }

    List<Action> actions() {
        return List.copyOf(actions);
    }

    MemberId self() {
        return settings.self();
    }

    MonotonicTime time() {
        return now.time();
    }

    boolean stands() {
        return candidacy.standsAt(time());
    }

    /** Not before the work of its last term has ended, nor beside a leader by another agreement. */
    boolean mayLead() {
        boolean conflict = log != null && log.conflictsWith(settings, time());
        return stands() && fences.unfinished() == Term.NONE && !conflict;
    }

    boolean isNonExclusive() {
        return settings.agreement().mode() == Mode.NON_EXCLUSIVE;
    }

    /** Whether its own term is the current one and it has not resigned; otherwise nothing that it writes keeps its lease. */
    boolean holds(LogView log) {
        return log.token() == tenure.token() && !log.resigned() && outgoing.resigned() != tenure.token();
    }

    /** Its term is over: it ceases to lead, and nothing waits for its work but this member itself. */
    void fence(FenceReason reason) {
        measureLead();
        announce(new Event.Fenced(tenure.token(), reason));
        fences = fences.fenced(tenure, settings.lease(), time());
        tenure = tenure.standby();
    }

    /** It ceases to lead, unless it did so before. */
    void measureLead() {
        if (tenure.state() == State.LEADING) {
            actions.add(new Action.Led(tenure.ledFor(time())));
        }
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

    void announce(Event event) {
        actions.add(new Action.Announce(event));
    }

    void ignore(IgnoredRecord kind) {
        actions.add(new Action.Ignore(kind));
    }

    void rejoin() {
        actions.add(new Action.Rejoin());
    }

    /** A member that begins or ceases to stand tells the group; one that leaves it need not. */
    void noteStanding() {
        if (stood != stands()) {
            stood = stands();
            if (!candidacy.closing()) {
                rejoin();
            }
        }
    }
}
