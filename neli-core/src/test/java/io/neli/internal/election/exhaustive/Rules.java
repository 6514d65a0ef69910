package io.neli.internal.election.exhaustive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.neli.internal.election.AssignmentPlan;
import io.neli.internal.election.Election;
import io.neli.internal.election.Input;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.MemberMetadata;
import io.neli.internal.election.MemberPlan;
import io.neli.internal.election.Moment;
import io.neli.internal.election.State;
import io.neli.internal.election.Violation;
import org.jspecify.annotations.Nullable;

/** What a move does to a world. The next state of a member comes from the real election. */
final class Rules {

    private static final int PARTITION = 0;
    private static final LogId FIRST = new LogId(PARTITION, 0);

    final LogTree logs = new LogTree();
    private final List<Cast> cast = new ArrayList<>();
    private final Bounds bounds;

    /** The log's length at which nothing more is let in. */
    int longest = Integer.MAX_VALUE;

    Rules(Bounds bounds) {
        this.bounds = bounds;
        for (int who = 0; who < bounds.members(); who++) {
            cast.add(new Cast(who));
        }
    }

    World unopened() {
        World world =
                new World(0, -1, bounds.faults(), bounds.assignments(), bounds.requests(), LogTree.EMPTY, 0, 0, 0);
        for (Cast each : cast) {
            world = world.withMember(each.who, each.numberOf(Member.started(each.who, 0, List.of())));
        }
        return world;
    }

    int members() {
        return cast.size();
    }

    Member member(World world, int who) {
        return cast.get(who).get(world.member(who));
    }

    int size(World world) {
        return logs.get(world.log()).size();
    }

    Moment now(World world, int who) {
        return Clocks.at(world.tick(), who == 0 ? bounds.rate() : 1);
    }

    World apply(World world, Move move) {
        int who = move.who();
        return switch (move.kind()) {
            case TICK -> world.ticked();
            case READ -> read(world, who);
            case READ_ALL -> readAll(world, who);
            case ARRIVE -> arrive(world, move.a(), move.b());
            case ARRIVE_AND_READ -> read(arrive(world, move.a(), move.b()), who);
            case STEP -> change(world, move, (election, member, now) -> election.timePassed(member.state(), now));
            case OPEN -> open(world, move);
            case WORK_ENDS -> workEnds(world, move);
            case PAUSE, RESIGN, CLOSE ->
                asked(world.withLeft(world.faults(), world.assignments(), world.requests() - 1), move);
            case RESUME -> asked(world, move);
            case ASSIGN -> assign(world.withLeft(world.faults(), world.assignments() - 1, world.requests()), move);
            case CRASH -> crash(world.withLeft(world.faults() - 1, world.assignments(), world.requests()), who);
            case LOSE_LOG -> loseLog(world.withLeft(world.faults() - 1, world.assignments(), world.requests()), move);
        };
    }

    private interface Stepping {
        Election.@Nullable Step step(Election election, Member member, Moment now);
    }

    /** One step of the election. */
    private World change(World world, Move move, Stepping stepping) {
        int who = move.who();
        Moment now = now(world, who);
        return replace(world, move, before -> {
            Election election = cast.get(who).election(before.start());
            Election.Step step = stepping.step(election, before, now);
            return step == null ? before : before.after(step, now);
        });
    }

    private World replace(World world, Move move, UnaryOperator<Member> step) {
        int who = move.who();
        int before = world.member(who);
        int after = cast.get(who).step(before, move.kind(), world.tick(), move.a(), move.b(), step);
        World next = world.withMember(who, after);
        long acquired = cast.get(who).get(after).announced().token();
        if (acquired != cast.get(who).get(before).announced().token() && acquired >= 0) {
            if (acquired <= world.acquired() && !bounds.isBlindToTokens()) {
                throw new Violation("term " + acquired + " is acquired after term " + world.acquired());
            }
            next = next.withAcquired((int) acquired);
        }
        return size(world) >= longest ? silenced(next) : next;
    }

    /** Nothing more reaches the log: what is in flight no longer matters. */
    private World silenced(World world) {
        World next = world;
        for (Cast each : cast) {
            Member member = each.get(next.member(each.who));
            if (!member.inFlight().isEmpty()) {
                next = next.withMember(each.who, each.numberOf(member.withInFlight(List.of())));
            }
        }
        return next;
    }

    private World read(World world, int who) {
        long position = member(world, who).partition().position(0);
        int record = logs.recordAt(world.log(), position);
        return change(world, new Move(Move.Kind.READ, who, record, 0), (election, member, now) -> {
            List<LogEntry> entries = List.of(new LogEntry(position, logs.record(record)));
            return election.step(member.state(), FIRST, new Input.RecordsRead(entries, position + 1), now);
        });
    }

    private World readAll(World world, int who) {
        // Not remembered as a step of its own by its records: the log's number says which.
        int log = world.log();
        Moment now = now(world, who);
        Cast mine = cast.get(who);
        Member before = mine.get(world.member(who));
        List<LogEntry> entries = new ArrayList<>();
        for (long offset = before.partition().position(0);
                offset < logs.get(log).size();
                offset++) {
            entries.add(new LogEntry(offset, logs.get(log).get((int) offset)));
        }
        Input input = new Input.RecordsRead(entries, logs.get(log).size());
        Election.Step step = mine.election(before.start()).step(before.state(), FIRST, input, now);
        Move move = new Move(Move.Kind.READ_ALL, who, log & 0x3FFF, log >>> 14);
        return replace(world, move, member -> member.after(step, now));
    }

    private World arrive(World world, int sender, int index) {
        Cast sending = cast.get(sender);
        Member before = sending.get(world.member(sender));
        LogRecord record = before.inFlight().get(index);
        int after = sending.step(world.member(sender), Move.Kind.ARRIVE, 0, index, 0, member -> {
            List<LogRecord> rest = new ArrayList<>(member.inFlight());
            rest.remove(index);
            return member.withInFlight(List.copyOf(bounds.reordered() ? rest : rest.subList(index, rest.size())));
        });
        World next = world.withMember(sender, after).withLog(logs.append(world.log(), record));
        return size(next) >= longest ? silenced(next) : next;
    }

    private World open(World world, Move move) {
        int end = size(world);
        return change(
                world.withMember(move.who(), opened(world, move.who())),
                new Move(Move.Kind.OPEN, move.who(), move.a(), end),
                (election, member, now) ->
                        election.step(member.state(), FIRST, new Input.LogOpened(move.a(), end), now));
    }

    private int opened(World world, int who) {
        return cast.get(who).numberOf(member(world, who).withOpen(true));
    }

    private World workEnds(World world, Move move) {
        Member working = member(world, move.who());
        boolean fenced = working.announced().state() == State.STANDBY;
        Member rested = working.workEnded(move.a());
        World next = world.withMember(move.who(), cast.get(move.who()).numberOf(rested));
        return change(
                next,
                move,
                (election, member, now) -> election.drained(member.state(), PARTITION, move.a(), fenced, now));
    }

    private World asked(World world, Move move) {
        return change(world, move, (election, member, now) -> switch (move.kind()) {
            case PAUSE -> election.pause(member.state(), null, true, now);
            case RESUME -> election.pause(member.state(), null, false, now);
            case RESIGN -> election.resign(member.state(), null, Duration.ofMillis(1), now);
            default -> election.close(member.state(), now);
        });
    }

    private World assign(World world, Move move) {
        MemberId owner = move.a() < members()
                ? Member.id(move.a(), member(world, move.a()).start())
                : null;
        Long counted = move.b() == 0 ? null : (long) move.b() - 1;
        Map<MemberId, MemberMetadata> eligible = new HashMap<>();
        for (int who = 0; who < members(); who++) {
            int start = who == move.who() ? member(world, who).start() : 0;
            MemberId id = Member.id(who, start);
            String config = Member.GROUP_CONFIG.fingerprint();
            eligible.put(id, new MemberMetadata(id, true, Set.of(), 0, Map.of(), config, 1));
        }
        MemberId self = Member.id(move.who(), member(world, move.who()).start());
        AssignmentPlan.Share share = new AssignmentPlan.Share(owner, self, counted, null);
        MemberPlan assignment =
                new AssignmentPlan(Member.GROUP_CONFIG.fingerprint(), eligible, List.of(share)).partOf(self);
        int ownersStart = owner == null ? 0 : member(world, move.a()).start();
        Move exact = new Move(Move.Kind.ASSIGN, move.who(), move.a() << 4 | ownersStart, move.b());
        return change(world, exact, (election, member, now) -> election.assigned(member.state(), assignment, now));
    }

    private World crash(World world, int who) {
        Member before = member(world, who);
        Member next = Member.started(who, before.start() + 1, before.inFlight());
        return world.withMember(who, cast.get(who).numberOf(next));
    }

    private World loseLog(World world, Move move) {
        World next = change(
                world, move, (election, member, now) -> election.step(member.state(), FIRST, new Input.LogLost(), now));
        return next.withMember(
                move.who(),
                cast.get(move.who()).numberOf(member(next, move.who()).withOpen(false)));
    }

    /** At most one leads, or keeps the others out, by its own clock now; a paused member is asked like any other. */
    void check(World world) {
        int observed = 0;
        for (Cast each : cast) {
            if (each.get(world.member(each.who)).holdsAt(now(world, each.who))) {
                observed++;
            }
        }
        if (observed > 1) {
            throw new Violation("two leaders at tick " + world.tick());
        }
    }
}
