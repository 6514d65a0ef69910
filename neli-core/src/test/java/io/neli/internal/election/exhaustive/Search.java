package io.neli.internal.election.exhaustive;

import java.util.ArrayList;
import java.util.List;

import io.neli.internal.election.LogRecord;
import io.neli.internal.election.PartitionState;
import io.neli.internal.election.State;
import io.neli.internal.election.Violation;
import org.jspecify.annotations.Nullable;

/** Tries everything that may happen within the bounds, breadth first: what it finds, it has found by the fewest moves. */
final class Search {

    private final Bounds bounds;
    private final Rules rules;
    private final Visited visited = new Visited();
    private final List<Move> prelude = new ArrayList<>();
    private int lastTick;
    private long acquisitions;

    Search(Bounds bounds) {
        this.bounds = bounds;
        this.rules = new Rules(bounds);
    }

    /** In how many ways one world became another by an acquisition. */
    long acquisitions() {
        return acquisitions;
    }

    /** Returns null, or what was violated and the way there. */
    @Nullable
    String run() {
        World first = begin();
        lastTick = first.tick() + bounds.ticks();
        rules.longest = rules.size(first) + bounds.records();
        visited.add(first, -1, 0);
        for (int index = 0; index < visited.size(); index++) {
            World world = visited.get(index);
            for (Move move : moves(world)) {
                try {
                    World next = rules.apply(world, move);
                    acquisitions += next.acquired() == world.acquired() ? 0 : 1;
                    if (visited.add(next, index, move.code())) {
                        rules.check(next);
                    }
                } catch (Violation e) {
                    return e.getMessage() + " after " + visited.size() + " states\n" + story(index, move);
                }
            }
        }
        return null;
    }

    // Where the search begins.

    private World begin() {
        World world = rules.unopened();
        boolean newcomer = bounds.opening() == Bounds.Opening.NEWCOMER;
        int opening = newcomer ? bounds.members() - 1 : bounds.members();
        for (int who = 0; who < opening; who++) {
            world = played(world, new Move(Move.Kind.OPEN, who, 0, 0));
        }
        if (bounds.opening() != Bounds.Opening.EMPTY) {
            while (rules.member(world, 0).partition().state() != State.LEADING || !isQuiet(world, opening)) {
                world = played(world, calmMove(world, opening));
            }
        }
        for (int tick = 1; tick < Clocks.LEASE && bounds.opening() == Bounds.Opening.SILENT; tick++) {
            world = played(world, new Move(Move.Kind.TICK, 0, 0, 0));
        }
        return world;
    }

    private World played(World world, Move move) {
        prelude.add(move);
        return rules.apply(world, move);
    }

    private boolean isQuiet(World world, int reading) {
        return calmMove(world, reading).kind() == Move.Kind.TICK;
    }

    /** Everything arrives and is read at once; only the first member is called. */
    private Move calmMove(World world, int reading) {
        if (!rules.member(world, 0).inFlight().isEmpty()) {
            return new Move(Move.Kind.ARRIVE, 0, 0, 0);
        }
        for (int who = 0; who < reading; who++) {
            if (rules.member(world, who).partition().position(0) < rules.size(world)) {
                return new Move(Move.Kind.READ, who, 0, 0);
            }
        }
        boolean due = rules.member(world, 0).isDueAt(rules.now(world, 0));
        return new Move(due ? Move.Kind.STEP : Move.Kind.TICK, 0, 0, 0);
    }

    // What may happen.

    private List<Move> moves(World world) {
        List<Move> moves = new ArrayList<>();
        if (world.tick() < lastTick) {
            moves.add(new Move(Move.Kind.TICK, 0, 0, 0));
        }
        boolean arrivalsMatter = bounds.batches();
        for (int who = 0; who < rules.members(); who++) {
            Member member = rules.member(world, who);
            if (member.open()) {
                readings(world, who, member, moves);
            } else {
                arrivalsMatter = true;
                for (int start = 0; start <= rules.size(world); start++) {
                    moves.add(new Move(Move.Kind.OPEN, who, start, 0));
                }
            }
            happenings(world, who, member, moves);
        }
        // Elsewhere a record may as well arrive when it is first read: nobody can tell.
        if (arrivalsMatter) {
            arrivals(world, Move.Kind.ARRIVE, 0, moves);
        }
        return moves;
    }

    private void readings(World world, int who, Member member, List<Move> moves) {
        long position = member.partition().position(0);
        long unread = rules.size(world) - position;
        if (unread > 0) {
            moves.add(new Move(Move.Kind.READ, who, 0, 0));
        } else {
            arrivals(world, Move.Kind.ARRIVE_AND_READ, who, moves);
        }
        if (unread > 1 && bounds.batches()) {
            moves.add(new Move(Move.Kind.READ_ALL, who, 0, 0));
        }
    }

    private void arrivals(World world, Move.Kind kind, int who, List<Move> moves) {
        if (rules.size(world) >= rules.longest) {
            return;
        }
        for (int sender = 0; sender < rules.members(); sender++) {
            int sent = rules.member(world, sender).inFlight().size();
            for (int index = 0; index < sent; index++) {
                moves.add(new Move(kind, who, sender, index));
            }
        }
    }

    private void happenings(World world, int who, Member member, List<Move> moves) {
        if (member.isDueAt(rules.now(world, who))) {
            moves.add(new Move(Move.Kind.STEP, who, 0, 0));
        }
        for (long term : member.working()) {
            moves.add(new Move(Move.Kind.WORK_ENDS, who, (int) term, 0));
        }
        if (member.state().eligibility().restraint().paused()) {
            moves.add(new Move(Move.Kind.RESUME, who, 0, 0));
        }
        if (world.requests() > 0) {
            moves.add(new Move(Move.Kind.PAUSE, who, 0, 0));
            moves.add(new Move(Move.Kind.RESIGN, who, 0, 0));
            moves.add(new Move(Move.Kind.CLOSE, who, 0, 0));
        }
        if (world.assignments() > 0) {
            int token = rules.logs.largestToken(world.log());
            for (int owner = 0; owner <= rules.members(); owner++) {
                moves.add(new Move(Move.Kind.ASSIGN, who, owner, 0));
                if (token > 0) {
                    moves.add(new Move(Move.Kind.ASSIGN, who, owner, token + 1));
                }
            }
        }
        if (world.faults() > 0) {
            moves.add(new Move(Move.Kind.CRASH, who, 0, 0));
            if (member.open()) {
                moves.add(new Move(Move.Kind.LOSE_LOG, who, 0, 0));
            }
        }
    }

    // How it came to that.

    private String story(int index, Move last) {
        List<Move> moves = new ArrayList<>(List.of(last));
        for (int at = index; visited.from(at) >= 0; at = visited.from(at)) {
            moves.add(0, visited.move(at));
        }
        moves.addAll(0, prelude);
        StringBuilder story = new StringBuilder(bounds + "\n");
        World world = rules.unopened();
        rules.longest = Integer.MAX_VALUE;
        for (Move move : moves) {
            try {
                World next = rules.apply(world, move);
                story.append(line(world, next, move)).append('\n');
                world = next;
            } catch (Violation e) {
                story.append(move).append(": ").append(e.getMessage()).append('\n');
            }
        }
        return story.toString();
    }

    private String line(World before, World after, Move move) {
        if (move.kind() == Move.Kind.TICK) {
            return "tick " + after.tick();
        }
        char name = (char) ('A' + move.who());
        List<LogRecord> log = rules.logs.get(after.log());
        if (move.kind() == Move.Kind.ARRIVE) {
            return "offset " + (log.size() - 1) + ": " + log.get(log.size() - 1);
        }
        PartitionState state = rules.member(after, move.who()).partition();
        String read =
                rules.member(before, move.who()).partition().position(0) < state.position(0) && state.position(0) > 0
                        ? " " + (state.position(0) - 1) + ": " + log.get((int) state.position(0) - 1)
                        : " " + move.a() + " " + move.b();
        return "%c %s%s -> %s, %s, in flight %s"
                .formatted(
                        name,
                        move.kind(),
                        read,
                        state.state(),
                        state.logs().get(0).lease(),
                        rules.member(after, move.who()).inFlight());
    }
}
