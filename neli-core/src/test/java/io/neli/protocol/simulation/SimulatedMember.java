package io.neli.protocol.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.neli.protocol.Action;
import io.neli.protocol.Assignment;
import io.neli.protocol.Election;
import io.neli.protocol.ElectionSettings;
import io.neli.protocol.ElectionState;
import io.neli.protocol.Event;
import io.neli.protocol.Input;
import io.neli.protocol.LogRecord;
import io.neli.protocol.MemberId;
import io.neli.protocol.Moment;
import io.neli.protocol.MonotonicTime;
import io.neli.protocol.PartitionState;
import io.neli.protocol.State;
import io.neli.protocol.Subscription;
import io.neli.protocol.Term;

/** One member: the real election inside a shell that reads, sends and drains as the network and chance allow. */
final class SimulatedMember {

    final MemberId id;
    final ElectionSettings settings;
    final SimulatedClock clock;
    final boolean candidate;
    final Reach[] reach;
    private final World world;
    private final Election election;
    private final Conduct[] conduct;
    private ElectionState state;
    private boolean alive = true;
    private boolean closing;
    private long closeBy = Long.MAX_VALUE;
    private long pausedUntil;
    private final Alarm alarm;
    private boolean rejoinWanted;
    private List<Runnable> deferred = new ArrayList<>();

    SimulatedMember(World world, MemberId id, ElectionSettings settings, SimulatedClock clock, boolean candidate) {
        this.world = world;
        this.id = id;
        this.settings = settings;
        this.clock = clock;
        this.candidate = candidate;
        this.election = new Election(settings);
        this.alarm = new Alarm(world.timeline, this::wake);
        this.state = election.initial(candidate);
        int partitions = settings.agreement().partitions();
        this.reach = new Reach[partitions];
        this.conduct = new Conduct[partitions];
        for (int partition = 0; partition < partitions; partition++) {
            reach[partition] = new Reach();
            conduct[partition] = new Conduct();
            open(partition);
        }
    }

    // What may be asked at any moment, also of a paused member.

    boolean isAlive() {
        return alive;
    }

    boolean isClosing() {
        return closing;
    }

    boolean isPaused() {
        return world.timeline.now() < pausedUntil;
    }

    boolean isLeader(int partition) {
        PartitionState mine = state.partitions().get(partition);
        return mine.state() == State.LEADING && mine.lease().holdsAt(clock.now());
    }

    /** Leads, or keeps the others out while its work ends. */
    boolean holds(int partition) {
        PartitionState mine = state.partitions().get(partition);
        return (mine.state() == State.LEADING || mine.state() == State.DRAINING)
                && mine.lease().holdsAt(clock.now());
    }

    boolean leadsAny() {
        return state.partitions().stream().anyMatch(partition -> partition.state() == State.LEADING);
    }

    boolean stands() {
        return state.candidacy().standsAt(clock.now().time());
    }

    long token(int partition) {
        Term term = state.partitions().get(partition).term();
        return term == null ? Term.NONE : term.token();
    }

    Subscription subscription() {
        Map<Integer, Long> leading = new HashMap<>();
        for (int partition = 0; partition < reach.length; partition++) {
            if (state.partitions().get(partition).state() == State.LEADING) {
                leading.put(partition, token(partition));
            }
        }
        return new Subscription(id, stands(), leading, settings.agreement());
    }

    // What happens to it.

    private void open(int partition) {
        SimulatedLog log = world.logs.get(partition);
        world.timeline.after(log.delay(), () -> {
            int start = log.start();
            int end = log.end();
            world.timeline.after(log.delay(), () -> whenAwake(() -> opened(partition, start, end)));
        });
    }

    private void opened(int partition, int start, int end) {
        Reach at = reach[partition];
        at.open = true;
        at.position = start;
        at.visible = Math.max(end, at.visible);
        world.note(id, "opens", partition, "from " + start + " of " + end);
        carryOut(election.step(state, partition, new Input.LogOpened(start, end), clock.now()));
        wake();
    }

    void losesLog(int partition) {
        whenAwake(() -> {
            if (!reach[partition].open) {
                return;
            }
            reach[partition].open = false;
            world.note(id, "meets a gap", partition, "");
            carryOut(election.step(state, partition, new Input.LogLost(), clock.now()));
            open(partition);
        });
    }

    void sees(int partition, int visible) {
        Reach at = reach[partition];
        at.visible = Math.max(at.visible, visible);
        if (at.open && !at.cannotRead) {
            wake();
        }
    }

    void assigned(Assignment assignment) {
        whenAwake(() -> {
            carryOut(election.assigned(state, assignment, clock.now()));
            wake();
        });
    }

    void resigns(long cooldown) {
        whenAwake(() -> {
            world.note(id, "resigns", -1, cooldown);
            carryOut(election.resign(state, Duration.ofNanos(cooldown), clock.now()));
            wake();
        });
    }

    void closes() {
        whenAwake(() -> {
            if (closing) {
                return;
            }
            closing = true;
            closeBy = world.timeline.now()
                    + settings.handoverTimeout().toNanos()
                    + 2 * settings.lease().toNanos();
            world.timeline.at(closeBy, this::wake);
            world.note(id, "closes", -1, "");
            carryOut(election.close(state, clock.now()));
            wake();
        });
    }

    void pauses(long duration) {
        pausedUntil = Math.max(pausedUntil, world.timeline.now() + duration);
        world.note(id, "is paused", -1, duration);
        wake();
    }

    void continues() {
        pausedUntil = Math.min(pausedUntil, world.timeline.now());
        clock.awake();
        for (Reach each : reach) {
            each.cannotRead = false;
            each.cannotWrite = false;
        }
        alarm.off();
        wake();
    }

    void dies() {
        alive = false;
    }

    /** A paused member does what is asked of it, or happens to it, when it goes on. */
    private void whenAwake(Runnable what) {
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
        boolean readAll = true;
        for (int partition = 0; partition < reach.length; partition++) {
            readAll &= read(partition, now);
        }
        if (now.time().hasReached(state.deadline())) {
            carryOut(election.timePassed(state, now));
        }
        if (closing && (state.isSettledAt(now) || world.timeline.now() >= closeBy)) {
            world.note(id, "has closed", -1, "");
            world.leaves(this);
            return;
        }
        if (rejoinWanted) {
            rejoinWanted = !world.group.asksToRebalance(this);
        }
        if (!readAll) {
            alarm.by(world.timeline.now() + world.chance.oneOf(1L, 5L, 50L) * Conditions.MILLISECOND);
        }
        MonotonicTime deadline = state.deadline();
        if (now.time().hasReached(deadline)) {
            throw new SimulationFailure(id + " asks to be called at " + deadline + ", which is not ahead of " + now);
        }
        if (!deadline.equals(MonotonicTime.NEVER)) {
            alarm.by(clock.instantOf(deadline));
        }
    }

    private boolean read(int partition, Moment now) {
        Reach at = reach[partition];
        if (!at.open || at.cannotRead) {
            return true;
        }
        SimulatedLog log = world.logs.get(partition);
        int until = Math.min(at.visible, log.end());
        boolean partly = world.isDisturbed() && world.chance.happens(world.conditions.slowReads());
        if (partly) {
            until = Math.min(until, at.position + (int) world.chance.oneOf(0L, 1L, 2L, 5L));
        }
        if (until > at.position) {
            Input input = new Input.RecordsRead(log.between(at.position, until), until);
            at.position = until;
            carryOut(election.step(state, partition, input, now));
        }
        return !partly;
    }

    // The shell's part: the new state can be asked before its actions are carried out.

    private void carryOut(Election.Step step) {
        state = step.state();
        for (Election.PartitionAction action : step.actions()) {
            carryOut(action.partition(), action.action());
        }
        for (int partition = 0; partition < reach.length; partition++) {
            conduct[partition].agreesWith(id, state.partitions().get(partition).state());
        }
        world.check();
    }

    private void carryOut(int partition, Action action) {
        if (action instanceof Action.Append append) {
            if (append.content() instanceof LogRecord.Resign resign) {
                conduct[partition].resigned(id, resign.term());
            }
            world.logs.get(partition).send(reach[partition], append.content());
            if (append.content() instanceof LogRecord.Claim && world.isDisturbed() && world.chance.happens(0.15)) {
                changesItsMind();
            }
        } else if (action instanceof Action.Announce announce) {
            announced(partition, announce.event());
        } else if (action instanceof Action.Rejoin) {
            rejoinWanted = true;
        }
    }

    /** While its claim is under way, or while it waits to lead. */
    private void changesItsMind() {
        world.timeline.after(world.chance.between(0, settings.lease().toNanos() / 2), () -> {
            if (world.isDisturbed()) {
                resigns(settings.lease().toNanos());
            }
        });
    }

    private void announced(int partition, Event event) {
        world.note(id, "announces", partition, event);
        conduct[partition].announced(id, event);
        world.announced(this, partition, event);
        if (event instanceof Event.Revoked) {
            world.timeline.after(
                    world.drainTime(), () -> whenAwake(() -> drained(partition, new Input.Drained(event.token()))));
        }
    }

    private void drained(int partition, Input.Drained input) {
        conduct[partition].drained(input.token());
        carryOut(election.step(state, partition, input, clock.now()));
        wake();
    }
}
