package io.neli.internal.election.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.internal.election.Action;
import io.neli.internal.election.Election;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.ElectionState;
import io.neli.internal.election.Eligibility;
import io.neli.internal.election.Input;
import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.LogState;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.MemberPlan;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.PartitionState;
import io.neli.internal.election.State;
import io.neli.internal.election.Violation;
import org.jspecify.annotations.Nullable;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/** One member: the real election in a shell that reads, sends and drains as the network and chance permit. */
final class SimulatedMember extends ObservedMember {

    /** Whether it replaces another member during a rolling change. */
    boolean isNew;

    private final World world;
    private Election election;
    private final Conduct[] conduct;
    private final LogConduct[] logConduct;
    final SimulatedReader reader;
    boolean alive = true;
    /** Whether the application made it an observer. */
    boolean formerCandidate;

    private List<PartitionState> before;
    private boolean closing;
    private long closeBy = Long.MAX_VALUE;
    private long pausedUntil;
    private final Alarm alarm;
    private boolean rejoinWanted;
    private List<Runnable> deferred = new ArrayList<>();

    SimulatedMember(World world, MemberId id, ElectionSettings settings, SimulatedClock clock, boolean candidate) {
        this(world, id, settings, clock, new Election(id, settings).initial(candidate));
        IntStream.range(0, reach.length).forEach(reader::open);
    }

    private SimulatedMember(
            World world, MemberId id, ElectionSettings settings, SimulatedClock clock, ElectionState state) {
        super(world, id, settings, clock, state);
        this.world = world;
        this.election = new Election(id, settings);
        this.alarm = new Alarm(world.timeline, this::wake);
        this.before = state.partitions();
        int partitions = settings.groupConfig().partitions();
        this.conduct = new Conduct[partitions];
        this.logConduct = IntStream.range(0, reach.length)
                .mapToObj(number -> new LogConduct(this, number))
                .toArray(LogConduct[]::new);
        for (int partition = 0; partition < partitions; partition++) {
            conduct[partition] = new Conduct(
                    this,
                    partition,
                    world.logsOf(partition).stream()
                            .limit(settings.groupConfig().quorum())
                            .map(this::conductOf)
                            .toList());
        }
        this.reader = new SimulatedReader(world, this, logConduct);
    }

    /** A snapshot of its machine, with everything it knows. */
    SimulatedMember snapshot() {
        SimulatedMember copy = new SimulatedMember(world, id, settings, clock.copy(), state);
        copy.rejoinWanted = rejoinWanted;
        for (int number = 0; number < reach.length; number++) {
            copy.reach[number].copy(reach[number]);
            copy.logConduct[number].copy(logConduct[number]);
        }
        for (int partition = 0; partition < leading.length; partition++) {
            copy.leading[partition].copy(leading[partition]);
            copy.conduct[partition].copy(conduct[partition]);
        }
        return copy;
    }

    void isRestored() {
        for (int number = 0; number < reach.length; number++) {
            reach[number].visible = Math.max(reach[number].visible, reach[number].reads.readable);
            if (!reach[number].open) {
                reader.open(number);
            }
        }
        endsItsWork();
        wake();
    }

    private LogConduct conductOf(SimulatedLog log) {
        return logConduct[world.number(log.id)];
    }

    Conduct conductOf(int number) {
        return conduct[world.partitionOf(number)];
    }

    boolean isPaused() {
        return now() < pausedUntil;
    }

    /** Whether it becomes eligible again without help. */
    boolean mayLead(int partition) {
        if (world.isStranger(this) || partition >= leading.length) {
            return false;
        }
        Eligibility its = state.partitions().get(partition).eligibility();
        return its.candidate() && !closing && !its.restraint().paused();
    }

    /** Whether it is eligible, but not for all partitions. */
    boolean mayNotLeadAll() {
        boolean knowsAll = leading.length >= world.conditions.partitions();
        return isEligible()
                && !(knowsAll && state.excludedAt(clock.now().time()).isEmpty());
    }

    /** Whether it is eligible, or was at the last step, which may have made it ineligible. */
    boolean wasOrIsEligible(int partition) {
        Eligibility its = before.get(partition).eligibility();
        return its.isEligibleAt(clock.now().time()) || isEligible(partition);
    }

    boolean isCandidate() {
        return state.eligibility().candidate();
    }

    /** Whether it cannot decode some records. */
    boolean cannotReadAll() {
        return world.hasNewer && !World.isNewer(id);
    }

    // What happens to it.

    void assigned(MemberPlan assignment) {
        whenAwake(() -> {
            carryOut(election.assigned(state, assignment, clock.now()));
            wake();
        });
    }

    void resigns(long cooldown) {
        resigns(null, cooldown);
    }

    void resigns(@Nullable Integer partition, long cooldown) {
        whenAwake(() -> {
            world.note(id, "resigns", partition == null ? -1 : partition, cooldown);
            carryOut(election.resign(state, partition, Duration.ofNanos(cooldown), clock.now()));
            wake();
        });
    }

    /** The application pauses or resumes it. */
    void stepsDown(boolean paused) {
        stepsDown(null, paused);
    }

    void stepsDown(@Nullable Integer partition, boolean paused) {
        whenAwake(() -> {
            int of = partition == null ? -1 : partition;
            world.note(id, paused ? "is paused by the application" : "is resumed", of, "");
            carryOut(election.pause(state, partition, paused, clock.now()));
            wake();
        });
    }

    void isCandidate(boolean candidate) {
        whenAwake(() -> {
            formerCandidate = !candidate;
            world.note(id, candidate ? "is a candidate" : "is no candidate", -1, "");
            carryOut(election.candidate(state, candidate, clock.now()));
            wake();
        });
    }

    void closes() {
        whenAwake(() -> {
            if (closing) {
                return;
            }
            closing = true;
            closeBy = now() + settings.handoverTimeout().toNanos() + 2 * lease();
            world.timeline.at(closeBy, this::wake);
            world.note(id, "closes", -1, "");
            carryOut(election.close(state, clock.now()));
            wake();
        });
    }

    void pauses(long duration) {
        pausedUntil = Math.max(pausedUntil, now() + duration);
        world.note(id, "is paused", -1, duration);
        wake();
    }

    void continues() {
        pausedUntil = Math.min(pausedUntil, now());
        clock.awake();
        for (Reach each : reach) {
            each.cannotRead = false;
            each.cannotWrite = false;
            each.losesClaims = false;
            each.rebuilding = false;
        }
        alarm.off();
        wake();
    }

    /** Ends all work that should end: none runs forever. */
    void endsItsWork() {
        for (int partition = 0; partition < leading.length; partition++) {
            for (long token : List.copyOf(leading[partition].working)) {
                if (!is(State.LEADING, partition) || token != leading[partition].token) {
                    endsWork(partition, token, 0);
                }
            }
        }
    }

    /** Runs the action now or, if the member is paused, when it continues. */
    void whenAwake(Runnable what) {
        if (!alive) {
            return;
        }
        if (isPaused()) {
            deferred.add(what);
        } else {
            clock.awake();
            what.run();
        }
    }

    // Its loop.

    void wake() {
        if (!alive) {
            return;
        }
        if (isPaused()) {
            alarm.by(pausedUntil);
            return;
        }
        clock.awake();
        List<Runnable> waited = deferred;
        deferred = new ArrayList<>();
        waited.forEach(this::whenAwake);
        if (!alive) {
            return;
        }
        Moment now = clock.now();
        boolean readAll = reader.read();
        if (now.time().hasReached(state.deadline())) {
            carryOut(election.timePassed(state, now));
        }
        if (closing && (state.isSettledAt(now) || now() >= closeBy)) {
            world.note(id, "has closed", -1, "");
            world.leaves(this);
            return;
        }
        if (rejoinWanted) {
            rejoinWanted = !world.group.asksToRebalance(this);
        }
        if (!readAll) {
            alarm.by(now() + world.chance.oneOf(1L, 5L, 50L) * MILLISECOND);
        }
        MonotonicTime deadline = state.deadline();
        if (now.time().hasReached(deadline)) {
            throw new Violation(id + " asks to be called at " + deadline + ", which is not ahead of " + now);
        }
        if (!deadline.equals(MonotonicTime.NEVER)) {
            alarm.by(clock.instantOf(deadline) + world.chance.between(0, world.latestTimer));
        }
    }

    // The shell's part: the new state can be asked before its actions are carried out.

    void step(Map<LogId, Input> inputs) {
        carryOut(election.step(state, inputs, clock.now()));
    }

    private void carryOut(Election.Step step) {
        before = state.partitions();
        state = step.state();
        boolean renews = false;
        for (Election.PartitionAction action : step.actions()) {
            renews |= action.action() instanceof Action.Renew;
            carryOut(action.log(), action.action(), step);
        }
        for (int partition = 0; partition < leading.length; partition++) {
            PartitionState mine = state.partitions().get(partition);
            PartitionState past = before.get(partition);
            if (past == mine) {
                continue;
            }
            conduct[partition].agreesWith(mine.state());
            if (past.state() != mine.state() || hasRead(past, mine)) {
                boolean leadsOn = isNonExclusive() ? mine.state() == State.LEADING : leads(mine);
                if (leads(past) && leadsOn && !past.isHeldAt(clock.now())) {
                    throw new Violation(id + " leads after its lease was over");
                }
                if (mine.state() != State.STANDBY) { // on standby, it cannot be a second holder
                    world.safety.check(partition);
                }
            }
        }
        if (renews) {
            renew();
        }
    }

    private void renew() {
        world.note(id, "goes on as another", -1, "");
        world.tally.count("renewed");
        id = new MemberId(id.name() + "'", world.chance.uuid());
        election = new Election(id, settings);
        Stream.of(reach).forEach(each -> each.open = false);
        carryOut(election.renewed(state, clock.now()));
        IntStream.range(0, reach.length).forEach(reader::open);
        world.group.leaves(this); // it then joins as the new member
    }

    private static boolean hasRead(PartitionState past, PartitionState mine) {
        for (int log = 0; log < mine.logs().size(); log++) {
            LogState before = past.logs().get(log);
            LogState after = mine.logs().get(log);
            if (before.position() != after.position() || before.isOpen() != after.isOpen()) {
                return true;
            }
        }
        return false;
    }

    private static boolean resigns(LogId log, Election.Step step) {
        return step.actions().stream()
                .anyMatch(each -> each.log().equals(log)
                        && each.action() instanceof Action.Append append
                        && append.content() instanceof LogRecord.Resign);
    }

    private void carryOut(LogId log, Action action, Election.Step step) {
        int partition = log.partition();
        int number = world.number(log);
        if (action instanceof Action.Append append) {
            if (!(append.content() instanceof LogRecord.Heartbeat && resigns(log, step))) {
                conduct[partition].writes(
                        append.content(), state.partitions().get(partition).state());
            }
            if (append.content() instanceof LogRecord.Resign resign) {
                conduct[partition].resigned(logConduct[number], resign.term());
            } else if (append.content() instanceof LogRecord.Claim) {
                reach[number].claimSentAt = now();
                logConduct[number].claims(term(number));
            }
            reach[number].writes.send(reach[number], append.content());
            if (append.content() instanceof LogRecord.Claim && world.isDisturbed() && world.chance.happens(0.15)) {
                changesItsMind();
            }
        } else if (action instanceof Action.Announce announce) {
            announced(partition, announce.event());
        } else if (action instanceof Action.ReadFurtherBack) {
            reader.opensFurtherBack(number);
        } else if (action instanceof Action.Rejoin) {
            rejoinWanted = true;
        }
    }

    /** Resigns while its claim is under way, or while it waits to lead. */
    private void changesItsMind() {
        world.timeline.after(world.chance.between(0, lease() / 2), () -> {
            if (world.isDisturbed()) {
                resigns(lease());
            }
        });
    }

    private void announced(int partition, LeaderEvent event) {
        if (world.isTraced()) {
            world.note(id, "announces", partition, event);
        }
        if (event instanceof LeaderAcquired) {
            leading[partition].since = now();
            leading[partition].token = event.token();
            leading[partition].terms++;
        }
        conduct[partition].announced(event);
        world.announced(this, partition, event);
        if (event instanceof LeaderRevoked revoked && revoked.reason() == RevokeReason.HANDOVER) {
            MemberPlan latest = state.plan();
            MemberPlan.Share share = latest == null || latest.shares().size() <= partition
                    ? null
                    : latest.shares().get(partition);
            if (share != null) {
                conduct[partition].handsOver(share.owner(), share.countedToken(), lease());
            }
        }
        if (!(event instanceof LeaderAcquired)) {
            endsWork(partition, event.token(), world.drainTime(this));
        }
    }

    /** Ends the work of the current term. Another term, in a topic created again, may have the same token. */
    private void endsWork(int partition, long token, long delay) {
        int term = leading[partition].terms;
        world.timeline.after(
                delay,
                () -> whenAwake(() -> {
                    if (term == leading[partition].terms && leading[partition].working.remove(token)) {
                        carryOut(
                                election.drained(state, partition, token, conduct[partition].wasFenced(), clock.now()));
                        wake();
                    }
                }));
    }
}
