package io.neli.internal.election.exhaustive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.neli.internal.election.LogRecord;
import io.neli.internal.election.LogState;
import io.neli.internal.election.PartitionState;
import io.neli.internal.election.Violation;
import org.jspecify.annotations.Nullable;

/** Tries everything that may happen within the bounds, breadth first, so each finding has the fewest possible moves. */
final class Search {

    private final Bounds bounds;
    private final Rules rules;
    private final Visited visited = new Visited();
    private final Prelude prelude;
    private int lastTick;
    private long acquisitions;

    Search(Bounds bounds) {
        this.bounds = bounds;
        this.rules = new Rules(bounds);
        this.prelude = new Prelude(bounds, rules);
    }

    /** The number of moves that led to an acquisition. */
    long acquisitions() {
        return acquisitions;
    }

    /**
     * Whether the member led while it held exactly these logs, as a bit for each instance: 1 is the first, and the
     * highest bit is the log that was created again.
     */
    boolean ledBy(int who, int held) {
        return rules.ledBy[who][held];
    }

    /** Returns null, or the violation and the moves that led to it. */
    @Nullable
    String run() {
        World first = prelude.play();
        lastTick = first.tick() + bounds.ticks();
        for (int instance = 0; instance < bounds.instances(); instance++) {
            rules.longest[instance] = rules.size(first, instance) + bounds.records();
        }
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

    // What may happen.

    private List<Move> moves(World world) {
        List<Move> moves = new ArrayList<>();
        if (world.tick() < lastTick) {
            moves.add(new Move(Move.Kind.TICK, 0, 0, 0));
        }
        for (int who = 0; who < rules.members(); who++) {
            happenings(world, who, rules.member(world, who), moves);
            if (bounds.batches() && rules.hasSeveralUnread(world, who)) {
                moves.add(new Move(Move.Kind.READ_ALL, who, 0, 0));
            }
        }
        for (int instance = 0; instance < bounds.instances(); instance++) {
            readings(world, instance, moves);
        }
        return moves;
    }

    private void readings(World world, int instance, List<Move> moves) {
        int log = bounds.logOf(instance);
        boolean arrivalsMatter = bounds.batches();
        for (int who = 0; who < rules.members(); who++) {
            Member reader = rules.member(world, who);
            if (rules.instance(reader, log) != instance) {
                continue;
            }
            if (!reader.partition().logs().get(log).isOpen()) {
                arrivalsMatter = true;
                for (int start = 0; start <= rules.size(world, instance); start++) {
                    moves.add(new Move(Move.Kind.OPEN, who, log, start, 0));
                }
            } else if (rules.unread(world, who, log) > 0) {
                moves.add(Move.in(log, Move.Kind.READ, who));
            } else {
                arrivals(world, instance, Move.Kind.ARRIVE_AND_READ, who, moves);
            }
        }
        // Otherwise, a record may arrive as late as it is first read, which makes no difference.
        if (arrivalsMatter) {
            arrivals(world, instance, Move.Kind.ARRIVE, 0, moves);
        }
    }

    /** In a log that was created again, records may arrive in either instance, whichever one their sender reads. */
    private void arrivals(World world, int instance, Move.Kind kind, int who, List<Move> moves) {
        if (rules.isFull(world, instance)) {
            return;
        }
        for (int sender = 0; sender < rules.members(); sender++) {
            List<List<LogRecord>> sent = rules.member(world, sender).inFlight();
            for (int index = 0; index < sent.get(bounds.logOf(instance)).size(); index++) {
                moves.add(new Move(kind, who, instance, sender, index));
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
        if (bounds.opening() == Bounds.Opening.RECREATED && !member.readsRecreated()) {
            moves.add(Move.in(0, Move.Kind.FIND_RECREATED, who));
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
            for (int log = 0; log < bounds.logs(); log++) {
                if (member.partition().logs().get(log).isOpen()) {
                    moves.add(Move.in(log, Move.Kind.LOSE_LOG, who));
                }
            }
        }
    }

    // The moves that led to a violation.

    private String story(int index, Move last) {
        List<Move> moves = new ArrayList<>(List.of(last));
        for (int at = index; visited.from(at) >= 0; at = visited.from(at)) {
            moves.add(0, visited.move(at));
        }
        moves.addAll(0, prelude.moves());
        StringBuilder story = new StringBuilder(bounds + "\n");
        World world = rules.unopened();
        Arrays.fill(rules.longest, Integer.MAX_VALUE);
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
        int its = bounds.logOf(move.log());
        int instance =
                move.kind() == Move.Kind.ARRIVE ? move.log() : rules.instance(rules.member(after, move.who()), its);
        String where = bounds.logs() == 1 ? "" : instance == its ? " in log " + its : " in the new log " + its;
        List<LogRecord> log = rules.logs.get(after.log(), instance);
        if (move.kind() == Move.Kind.ARRIVE) {
            return "offset " + (log.size() - 1) + where + ": " + log.get(log.size() - 1);
        }
        PartitionState state = rules.member(after, move.who()).partition();
        long position = state.logs().get(its).position();
        String read =
                rules.member(before, move.who()).partition().logs().get(its).position() < position && position > 0
                        ? " " + (position - 1) + ": " + log.get((int) position - 1)
                        : " " + move.a() + " " + move.b();
        return "%c %s%s%s -> %s, %s, in flight %s"
                .formatted(
                        'A' + move.who(),
                        move.kind(),
                        where,
                        read,
                        state.state(),
                        state.logs().stream().map(LogState::lease).toList(),
                        rules.member(after, move.who()).inFlight());
    }
}
