package io.neli.internal.election.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.Mode;
import io.neli.internal.election.Action;
import io.neli.internal.election.Decoded;
import io.neli.internal.election.Election;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.ElectionState;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.Input;
import io.neli.internal.election.Lease;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.MemberPlan;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.PartitionState;
import io.neli.internal.election.Term;
import io.neli.internal.election.Violation;
import org.jspecify.annotations.Nullable;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/** One member on a log in which its own records arrive among garbage. No garbage lets it lead, or lead for longer. */
final class FuzzedMember {

    private static final Duration LEASE = Duration.ofMillis(500);
    private static final long STEP = 10 * MILLISECOND;

    private final Chance chance;
    private final Tally tally;
    private final MemberId self;
    private final List<MemberId> members;
    private final GroupConfig groupConfig;
    private final Garbage garbage;
    private final Election election;
    private final List<LogRecord> written = new ArrayList<>();
    private final Map<Long, Moment> sent = new HashMap<>();
    private final List<Long> working = new ArrayList<>();
    private List<LogRecord> pending = new ArrayList<>();
    private ElectionState state;
    private long end;
    private Moment now = new Moment(new MonotonicTime(0), 1_700_000_000_000L);

    FuzzedMember(long seed, Tally tally) {
        this.chance = new Chance(seed);
        this.tally = tally;
        this.self = new MemberId("self", chance.uuid());
        this.members = List.of(self, new MemberId("other", chance.uuid()), new MemberId("third", chance.uuid()));
        this.groupConfig = new GroupConfig(chance.happens(0.8) ? Mode.EXCLUSIVE : Mode.NON_EXCLUSIVE, 1, "roles", 1);
        this.garbage = new Garbage(chance, members, groupConfig);
        this.election = new Election(
                self, new ElectionSettings(LEASE, LEASE.dividedBy(5), LEASE.multipliedBy(4), groupConfig, Map.of()));
        this.state = election.initial(true);
        step(new Input.LogOpened(0, 0, false));
    }

    void reads(int records) {
        for (int i = 0; i < records; i++) {
            passesTime();
            happens();
            readsOwn();
            readsGarbage();
        }
    }

    // What happens to it.

    private void passesTime() {
        long by = chance.happens(0.02)
                ? Duration.ofMinutes(11).toNanos()
                : chance.happens(0.05) ? LEASE.toNanos() : chance.between(0, 3) * STEP;
        now = new Moment(now.time().plus(Duration.ofNanos(by)), now.wallMillis() + by / MILLISECOND);
        carryOut(election.timePassed(state, now));
    }

    private void happens() {
        if (!working.isEmpty() && chance.happens(0.3)) {
            carryOut(election.drained(state, 0, working.remove(0), true, now));
        }
        double what = chance.share();
        if (what < 0.01) {
            step(new Input.LogLost());
            pending.clear();
            step(new Input.LogOpened(chance.between(0, end + 1), end, false));
        } else if (what < 0.02) {
            MemberPlan.Share share = new MemberPlan.Share(
                    chance.oneOf(members).hash(), term(), chance.oneOf(members).hash());
            String config = groupConfig.fingerprint();
            carryOut(
                    election.assigned(state, new MemberPlan(config, 3, true, Set.of(), Set.of(), List.of(share)), now));
        } else if (what < 0.025) {
            carryOut(election.resign(state, null, LEASE, now));
        }
    }

    private void readsOwn() {
        if (chance.happens(0.8)) {
            List<LogRecord> arrived = pending;
            pending = new ArrayList<>();
            arrived.forEach(this::reads);
        }
    }

    private void readsGarbage() {
        Decoded content = garbage.next(end, term(), written);
        PartitionState before = mine();
        Lease most = mostAfter(content, before);
        reads(content);
        Lease after = lease(mine());
        boolean longer = after.until().compareTo(most.until()) > 0 || after.wallUntilMillis() > most.wallUntilMillis();
        require(!longer, "the lease grew from " + lease(before) + " to " + after, content);
        boolean begins = mine().leadingAt(now) != Term.NONE && before.leadingAt(now) == Term.NONE;
        require(!begins || isInItsName(content), "it begins to lead", content);
        require(!now.time().hasReached(state.deadline()), "its deadline is not ahead", content);
    }

    /** Only a record that looks like its own may renew its lease, and only from when it sent that one. */
    private Lease mostAfter(Decoded content, PartitionState before) {
        Lease lease = lease(before);
        if (!isInItsName(content) || isStale(content, before.term())) {
            return lease;
        }
        Moment at = sent.get(((LogRecord.Leasing) content).grant().sequence());
        if (at == null) {
            return lease;
        }
        MonotonicTime until = at.time().plus(LEASE);
        return new Lease(
                until.compareTo(lease.until()) > 0 ? until : lease.until(),
                Math.max(at.wallMillis() + LEASE.toMillis(), lease.wallUntilMillis()));
    }

    private boolean isInItsName(Decoded content) {
        return content instanceof LogRecord.Leasing record && record.member().equals(self);
    }

    private static boolean isStale(Decoded content, @Nullable Term known) {
        return known != null && content instanceof LogRecord.Heartbeat heartbeat && heartbeat.term() < known.offset();
    }

    private void reads(Decoded content) {
        long offset = end;
        end += chance.happens(0.05) ? 3 : 1; // a gap in the offsets
        step(new Input.RecordsRead(List.of(new LogEntry(offset, content)), end));
    }

    // The shell's part.

    private PartitionState mine() {
        return state.partitions().get(0);
    }

    private static Lease lease(PartitionState its) {
        return its.logs().get(0).lease();
    }

    private long term() {
        @Nullable Term term = mine().term();
        return term == null ? Term.NONE : term.offset();
    }

    private void step(Input input) {
        carryOut(election.step(state, Map.of(new LogId(0, 0), input), now));
    }

    private void carryOut(Election.Step step) {
        state = step.state();
        for (Election.PartitionAction action : step.actions()) {
            if (action.action() instanceof Action.Append append) {
                pending.add(append.content());
                written.add(append.content());
                if (append.content() instanceof LogRecord.Leasing leasing) {
                    sent.put(leasing.grant().sequence(), now);
                }
            } else if (action.action() instanceof Action.Announce announce) {
                announced(announce.event());
            } else if (action.action() instanceof Action.Renew) {
                pending.clear();
                carryOut(election.renewed(state, now));
                step(new Input.LogOpened(end, end, false));
            }
        }
    }

    private void announced(LeaderEvent event) {
        if (event instanceof LeaderAcquired) {
            tally.count("acquired");
        } else if (!working.contains(event.token())) {
            working.add(event.token());
        }
    }

    private static void require(boolean holds, String otherwise, Decoded content) {
        if (!holds) {
            throw new Violation(otherwise + " at " + content);
        }
    }
}
