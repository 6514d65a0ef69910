package io.neli.internal.election.exhaustive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

import io.neli.internal.election.Election;
import io.neli.internal.election.Input;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberHash;
import io.neli.internal.election.MemberPlan;
import io.neli.internal.election.Moment;
import io.neli.internal.election.State;
import io.neli.internal.election.Violation;

/** Applies a move to a world. The next state of a member comes from the real election. */
final class Rules {

    private static final int PARTITION = 0;

    final LogTree logs;
    /** The logs with which each member led, as a bit for each instance. */
    final boolean[][] ledBy;

    private final List<Cast> cast = new ArrayList<>();
    private final Bounds bounds;

    /** The maximum length of each log; nothing more arrives then. */
    final int[] longest;

    Rules(Bounds bounds) {
        this.bounds = bounds;
        this.logs = new LogTree(bounds.instances());
        this.ledBy = new boolean[bounds.members()][1 << bounds.instances()];
        this.longest = new int[bounds.instances()];
        Arrays.fill(longest, Integer.MAX_VALUE);
        for (int who = 0; who < bounds.members(); who++) {
            cast.add(new Cast(who, bounds.logs()));
        }
    }

    World unopened() {
        World world =
                new World(0, -1, bounds.faults(), bounds.assignments(), bounds.requests(), LogTree.EMPTY, 0, 0, 0);
        List<List<LogRecord>> nothing = Collections.nCopies(bounds.logs(), List.of());
        for (Cast each : cast) {
            world = world.withMember(each.who, each.numberOf(started(each, 0, nothing)));
        }
        return world;
    }

    private static Member started(Cast cast, int start, List<List<LogRecord>> inFlight) {
        return Member.started(start, cast.election(start).initial(true), inFlight);
    }

    int members() {
        return cast.size();
    }

    Member member(World world, int who) {
        return cast.get(who).get(world.member(who));
    }

    /** The instance of the log that the member reads: the original or the one created again. */
    int instance(Member reader, int log) {
        return log == 0 && reader.readsRecreated() ? bounds.instances() - 1 : log;
    }

    int size(World world, int instance) {
        return logs.get(world.log(), instance).size();
    }

    boolean isFull(World world, int instance) {
        return size(world, instance) >= longest[instance];
    }

    /** How many records of an open log a member has not read. */
    int unread(World world, int who, int log) {
        Member reader = member(world, who);
        return size(world, instance(reader, log))
                - (int) reader.partition().logs().get(log).position();
    }

    /** Whether more than one record in open logs is unread, so one step can read several. */
    boolean hasSeveralUnread(World world, int who) {
        int unread = 0;
        for (int log = 0; log < bounds.logs(); log++) {
            unread += member(world, who).partition().logs().get(log).isOpen() ? unread(world, who, log) : 0;
        }
        return unread > 1;
    }

    Moment now(World world, int who) {
        return Clocks.at(world.tick(), who == 0 ? bounds.rate() : 1);
    }

    World apply(World world, Move move) {
        int who = move.who();
        return switch (move.kind()) {
            case TICK -> world.ticked();
            case READ -> read(world, move);
            case READ_ALL -> readAll(world, who);
            case ARRIVE -> arrive(world, move);
            case ARRIVE_AND_READ -> read(arrive(world, move), Move.in(bounds.logOf(move.log()), Move.Kind.READ, who));
            case STEP -> change(world, move, (election, member, now) -> election.timePassed(member.state(), now));
            case OPEN -> open(world, move);
            case WORK_ENDS -> workEnds(world, move);
            case PAUSE, RESIGN, CLOSE ->
                asked(world.withLeft(world.faults(), world.assignments(), world.requests() - 1), move);
            case RESUME -> asked(world, move);
            case ASSIGN -> assign(world.withLeft(world.faults(), world.assignments() - 1, world.requests()), move);
            case CRASH -> crash(world.withLeft(world.faults() - 1, world.assignments(), world.requests()), who);
            case LOSE_LOG -> loseLog(world.withLeft(world.faults() - 1, world.assignments(), world.requests()), move);
            case FIND_RECREATED -> loseLog(readingRecreated(world, who), move);
        };
    }

    private interface Stepping {
        Election.Step step(Election election, Member member, Moment now);
    }

    private World change(World world, Move move, Stepping stepping) {
        int who = move.who();
        Moment now = now(world, who);
        return replace(world, move, before -> {
            Election election = cast.get(who).election(before.start());
            return before.after(stepping.step(election, before, now), now);
        });
    }

    private World replace(World world, Move move, UnaryOperator<Member> step) {
        int who = move.who();
        int before = world.member(who);
        int after = cast.get(who).step(before, move, world.tick(), step);
        World next = world.withMember(who, after);
        long acquired = cast.get(who).get(after).announced().token();
        if (acquired != cast.get(who).get(before).announced().token() && acquired >= 0) {
            if (acquired <= world.acquired() && !bounds.isBlindToTokens()) {
                throw new Violation("term " + acquired + " is acquired after term " + world.acquired());
            }
            next = next.withAcquired((int) acquired);
        }
        return silenced(next);
    }

    /** If nothing more can reach a log, what is in flight to it no longer matters. */
    private World silenced(World world) {
        World next = world;
        for (int log = 0; log < bounds.logs(); log++) {
            for (int who = 0; who < members() && areFull(world, log); who++) {
                if (!member(next, who).inFlight().get(log).isEmpty()) {
                    next = next.withMember(who, cast.get(who).silenced(next.member(who), log));
                }
            }
        }
        return next;
    }

    private boolean areFull(World world, int log) {
        return isFull(world, log) && (log != 0 || isFull(world, bounds.instances() - 1) || !bounds.isRecreated());
    }

    private World read(World world, Move move) {
        int log = move.log();
        Member reader = member(world, move.who());
        long position = reader.partition().logs().get(log).position();
        int record = logs.recordAt(world.log(), instance(reader, log), position);
        return change(world, new Move(Move.Kind.READ, move.who(), log, record, 0), (election, member, now) -> {
            List<LogEntry> entries = List.of(new LogEntry(position, logs.record(record)));
            Input input = new Input.RecordsRead(entries, position + 1);
            return election.step(member.state(), Map.of(new LogId(PARTITION, log), input), now);
        });
    }

    private World readAll(World world, int who) {
        // The number of the logs identifies the records read, so the step is remembered by it.
        int log = world.log();
        Moment now = now(world, who);
        Cast mine = cast.get(who);
        Member before = mine.get(world.member(who));
        Map<LogId, Input> inputs = new TreeMap<>(Comparator.comparing(LogId::log));
        for (int each = 0; each < bounds.logs(); each++) {
            if (before.partition().logs().get(each).isOpen() && unread(world, who, each) > 0) {
                inputs.put(new LogId(PARTITION, each), unreadRecords(world, before, each));
            }
        }
        Election.Step step = mine.election(before.start()).step(before.state(), inputs, now);
        Move move = new Move(Move.Kind.READ_ALL, who, log & 0x3FFF, log >>> 14);
        return replace(world, move, member -> member.after(step, now));
    }

    private Input unreadRecords(World world, Member member, int log) {
        List<LogRecord> records = logs.get(world.log(), instance(member, log));
        List<LogEntry> entries = new ArrayList<>();
        for (long offset = member.partition().logs().get(log).position(); offset < records.size(); offset++) {
            entries.add(new LogEntry(offset, records.get((int) offset)));
        }
        return new Input.RecordsRead(entries, records.size());
    }

    private World arrive(World world, Move move) {
        int log = bounds.logOf(move.log());
        int sender = move.a();
        int index = move.b();
        Cast sending = cast.get(sender);
        LogRecord record = sending.get(world.member(sender)).inFlight().get(log).get(index);
        Move sent = new Move(Move.Kind.ARRIVE, sender, log, index, 0);
        int after = sending.step(world.member(sender), sent, 0, member -> {
            List<LogRecord> rest = new ArrayList<>(member.inFlight().get(log));
            rest.remove(index);
            return member.withInFlight(log, bounds.reordered() ? rest : rest.subList(index, rest.size()));
        });
        World next = world.withMember(sender, after).withLog(logs.append(world.log(), move.log(), record));
        return silenced(next);
    }

    private World open(World world, Move move) {
        int end = size(world, instance(member(world, move.who()), move.log()));
        return change(
                world,
                new Move(Move.Kind.OPEN, move.who(), move.log(), move.a(), end),
                (election, member, now) -> election.step(
                        member.state(),
                        Map.of(new LogId(PARTITION, move.log()), new Input.LogOpened(move.a(), end, false)),
                        now));
    }

    private World workEnds(World world, Move move) {
        Moment now = now(world, move.who());
        return replace(world, move, working -> {
            boolean fenced = working.announced().state() == State.STANDBY;
            Election election = cast.get(move.who()).election(working.start());
            Election.Step step = election.drained(working.state(), PARTITION, move.a(), fenced, now);
            return working.workEnded(move.a()).after(step, now);
        });
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
        boolean isOwned = move.a() < members();
        int ownersStart = isOwned ? member(world, move.a()).start() : 0;
        MemberHash owner = isOwned ? Member.id(move.a(), ownersStart).hash() : null;
        Long counted = move.b() == 0 ? null : (long) move.b() - 1;
        MemberPlan.Share share = new MemberPlan.Share(owner, counted, null);
        String config = Member.groupConfig(bounds.logs()).fingerprint();
        MemberPlan assignment = new MemberPlan(config, members(), true, Set.of(), Set.of(), List.of(share));
        Move exact = new Move(Move.Kind.ASSIGN, move.who(), move.a() << 4 | ownersStart, move.b());
        return change(world, exact, (election, member, now) -> election.assigned(member.state(), assignment, now));
    }

    private World crash(World world, int who) {
        Member before = member(world, who);
        Cast mine = cast.get(who);
        Member next = started(mine, before.start() + 1, before.inFlight());
        return world.withMember(who, mine.numberOf(next));
    }

    private World readingRecreated(World world, int who) {
        return world.withMember(who, cast.get(who).numberOf(member(world, who).readingRecreated()));
    }

    private World loseLog(World world, Move move) {
        LogId log = new LogId(PARTITION, move.log());
        return change(
                world,
                move,
                (election, member, now) -> election.step(member.state(), Map.of(log, new Input.LogLost()), now));
    }

    /**
     * Checks that, by its own clock, at most one member leads or keeps the others out, and at most one holds each log;
     * each instance of a log that was created again counts. Paused members are checked too.
     */
    void check(World world) {
        int leaders = 0;
        int held = 0;
        boolean heldTwice = false;
        for (Cast each : cast) {
            Member member = each.get(world.member(each.who));
            Moment now = now(world, each.who);
            int its = heldAt(member, now);
            heldTwice |= (held & its) != 0;
            held |= its;
            if (member.holdsAt(now)) {
                ledBy[each.who][its] = true;
                leaders++;
            }
        }
        if (leaders > 1) {
            throw new Violation("two leaders at tick " + world.tick());
        }
        if (heldTwice) {
            throw new Violation("two holders of one log at tick " + world.tick());
        }
    }

    /** The logs that a member holds, as a bit for each instance; the first is 1. */
    private int heldAt(Member member, Moment now) {
        int held = 0;
        for (int log = 0; log < bounds.logs(); log++) {
            boolean isHeld = member.partition().logs().get(log).isHeldAt(now);
            held |= isHeld ? 1 << instance(member, log) : 0;
        }
        return held;
    }
}
