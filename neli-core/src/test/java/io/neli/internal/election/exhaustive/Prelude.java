package io.neli.internal.election.exhaustive;

import java.util.ArrayList;
import java.util.List;

import io.neli.internal.election.State;
import org.jspecify.annotations.Nullable;

/** Plays a small world up to the state in which its search begins: see {@link Bounds.Opening}. */
final class Prelude {

    private final Bounds bounds;
    private final Rules rules;
    private final int last;
    private final List<Move> moves = new ArrayList<>();
    private World world;

    Prelude(Bounds bounds, Rules rules) {
        this.bounds = bounds;
        this.rules = rules;
        this.last = bounds.members() - 1;
        this.world = rules.unopened();
    }

    List<Move> moves() {
        return moves;
    }

    World play() {
        int opening = bounds.opening() == Bounds.Opening.NEWCOMER ? last : bounds.members();
        for (int who = 0; who < opening; who++) {
            for (int log = 0; log < bounds.logs(); log++) {
                play(Move.in(log, Move.Kind.OPEN, who));
            }
        }
        if (bounds.opening() != Bounds.Opening.EMPTY) {
            firstLeads(opening);
        }
        if (bounds.isRecreated()) {
            play(Move.in(0, Move.Kind.FIND_RECREATED, last));
            play(Move.in(0, Move.Kind.OPEN, last));
        }
        for (int tick = 0; tick < silentFor(bounds.opening()); tick++) {
            play(new Move(Move.Kind.TICK, 0, 0, 0));
        }
        switch (bounds.opening()) {
            case EMPTY, LED, SILENT, NEWCOMER -> {}
            case CONTESTED, RECREATED -> lastBids();
            case CHANGING -> {
                lastBids();
                lastLeads();
            }
        }
        return world;
    }

    private static int silentFor(Bounds.Opening opening) {
        return switch (opening) {
            case EMPTY, LED, NEWCOMER -> 0;
            case SILENT -> Clocks.LEASE - 1;
            case CONTESTED, RECREATED, CHANGING -> Clocks.LEASE;
        };
    }

    private void play(Move move) {
        moves.add(move);
        world = rules.apply(world, move);
    }

    private void firstLeads(int reading) {
        Move calm = calmMove(reading);
        while (calm.kind() != Move.Kind.TICK
                || rules.member(world, 0).partition().state() != State.LEADING) {
            play(calm);
            calm = calmMove(reading);
        }
    }

    /** Everything arrives and is read immediately; only the first member is called. */
    private Move calmMove(int reading) {
        for (int log = 0; log < bounds.logs(); log++) {
            if (!rules.member(world, 0).inFlight().get(log).isEmpty()) {
                return Move.in(log, Move.Kind.ARRIVE, 0);
            }
            for (int who = 0; who < reading; who++) {
                if (rules.unread(world, who, log) > 0) {
                    return Move.in(log, Move.Kind.READ, who);
                }
            }
        }
        boolean due = rules.member(world, 0).isDueAt(rules.now(world, 0));
        return new Move(due ? Move.Kind.STEP : Move.Kind.TICK, 0, 0, 0);
    }

    /** A bid that the last member once sent to the old log arrives in the log that was created again. */
    private void lastBids() {
        play(new Move(Move.Kind.STEP, last, 0, 0));
        latestArrive();
        for (int who = 0; who < bounds.members(); who++) {
            play(new Move(Move.Kind.READ_ALL, who, 0, 0));
        }
    }

    /** The latest records of the last member arrive, in all logs that it reads. */
    private void latestArrive() {
        for (int log = 0; log < bounds.logs(); log++) {
            Member sender = rules.member(world, last);
            if (!sender.inFlight().get(log).isEmpty()) {
                play(latest(sender, last, rules.instance(sender, log)));
            }
        }
    }

    private Move latest(Member sender, int who, int instance) {
        int sent = sender.inFlight().get(bounds.logOf(instance)).size();
        return new Move(Move.Kind.ARRIVE, who, instance, who, sent - 1);
    }

    private void lastLeads() {
        latestArrive();
        play(new Move(Move.Kind.READ_ALL, last, 0, 0));
        play(Move.in(bounds.logs() - 1, Move.Kind.READ, 0));
        int claimed = world.tick();
        while (true) {
            Move move = moveWithin(0, 0, bounds.logs() - 1);
            if (move == null && world.tick() == claimed + 1) {
                move = moveWithin(last, bounds.instances() - 1, 1);
            }
            if (move == null && world.tick() == claimed + Clocks.LEASE - 1) {
                return;
            }
            play(move == null ? new Move(Move.Kind.TICK, 0, 0, 0) : move);
        }
    }

    /** The next move of a member that reaches only these logs; null if there is none. */
    private @Nullable Move moveWithin(int who, int... instances) {
        Member member = rules.member(world, who);
        for (int instance : instances) {
            int log = bounds.logOf(instance);
            if (!member.inFlight().get(log).isEmpty()) {
                return latest(member, who, instance);
            }
            if (rules.unread(world, who, log) > 0) {
                return Move.in(log, Move.Kind.READ, who);
            }
        }
        if (!member.working().isEmpty()) {
            return new Move(Move.Kind.WORK_ENDS, who, member.working().get(0).intValue(), 0);
        }
        return member.isDueAt(rules.now(world, who)) ? new Move(Move.Kind.STEP, who, 0, 0) : null;
    }
}
