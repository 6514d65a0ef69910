package io.neli.internal.election;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import io.neli.LeaderEvent;
import io.neli.Mode;
import org.jspecify.annotations.Nullable;

import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.ME;
import static io.neli.internal.election.OnePartition.OTHER;

/** Drives the election of one partition on three logs. Times are milliseconds. */
final class ThreeLogs {

    static final GroupConfig GROUP_CONFIG = config(Mode.EXCLUSIVE);

    private static final Eligibility ELIGIBLE = new Eligibility(true, true, Restraint.NONE, false, Conflict.NONE);
    private static final long WALL = 1_700_000_000_000L;

    private final Map<Integer, List<LogRecord>> unread = new HashMap<>();
    private final List<LeaderEvent> events = new ArrayList<>();
    private final long[] ends = new long[3];
    private final GroupConfig config;
    private PartitionState state = new PartitionState(3, ELIGIBLE);
    private long now = 10_000;

    ThreeLogs(Mode mode) {
        this.config = config(mode);
    }

    private static GroupConfig config(Mode mode) {
        return new GroupConfig(mode, 1, "roles", 3);
    }

    static ThreeLogs fresh() {
        return fresh(Mode.EXCLUSIVE);
    }

    /** All logs are open and were empty. */
    private static ThreeLogs fresh(Mode mode) {
        ThreeLogs logs = new ThreeLogs(mode);
        for (int log = 0; log < 3; log++) {
            logs.opens(log, 0);
        }
        logs.arrives(0, 1, 2);
        return logs;
    }

    static ThreeLogs leading() {
        return leading(Mode.EXCLUSIVE);
    }

    static ThreeLogs leading(Mode mode) {
        ThreeLogs logs = fresh(mode);
        logs.passesWhile(100, 0, 1, 2);
        logs.events();
        return logs;
    }

    /** Another member leads with all three logs, and has just written to them. */
    static ThreeLogs following() {
        ThreeLogs logs = fresh();
        for (int log = 0; log < 3; log++) {
            logs.reads(log, claim(OTHER, WALL));
            logs.readsThatLeads(log, OTHER);
        }
        logs.forget();
        return logs;
    }

    static LogRecord.Claim claim(MemberId member, long token) {
        return claim(member, token, LEASE);
    }

    static LogRecord.Claim claim(MemberId member, long token, long lease) {
        return Records.claim(member, 0, Duration.ofMillis(lease), GROUP_CONFIG.of(0), token);
    }

    void opens(int log, long end) {
        ends[log] = end;
        step(log, new Input.LogOpened(0, end, false));
    }

    void losesLog(int log) {
        unread.remove(log);
        step(log, new Input.LogLost());
    }

    /** Reads a record at the end of the log; returns its offset. */
    long reads(int log, LogRecord record) {
        long offset = ends[log]++;
        step(log, new Input.RecordsRead(List.of(new LogEntry(offset, record)), ends[log]));
        return offset;
    }

    /** Reads that another member with the same settings claims the log. */
    void readsClaim(int log) {
        reads(log, Records.claim(OTHER, 0, Duration.ofMillis(LEASE), config.of(0), token() + 1));
    }

    /** Reads that {@code member}, the holder of the log's latest term, leads the partition, and with which logs. */
    void readsThatLeads(int log, MemberId member) {
        long term = term(log).offset();
        readsThatLeads(log, member, term, 1, new LogRecord.Written(term, 0), true);
    }

    void readsThatLeads(
            int log, MemberId member, long term, long sequence, LogRecord.Written lastRead, boolean complete) {
        reads(
                log,
                new LogRecord.Heartbeat(
                        new LogRecord.Sender(member, term(log).token(), Duration.ofMillis(LEASE)),
                        new LogRecord.Grant(sequence, Duration.ofMillis(LEASE), GROUP_CONFIG.of(0), Map.of()),
                        term,
                        true,
                        0,
                        new LogRecord.Mark(
                                lastRead, new LogIdentity(1L + log, new LogSet(1, 0, List.of(1L, 2L, 3L), complete)))));
    }

    /** Reads that the log's holder gives it up, and names no successor. */
    void readsResign(int log) {
        readsResignFor(log, null);
    }

    void readsResignFor(int log, @Nullable MemberId successor) {
        Term term = term(log);
        reads(log, Records.resign(term.holder(), term.offset(), successor));
    }

    /** The latest term that this member has resigned in the log; {@link Term#NONE} if none. */
    long resigned(int log) {
        return state.logs().get(log).resigned;
    }

    Term term(int log) {
        return Objects.requireNonNull(state.logs().get(log).term());
    }

    /** What this member has written to these logs arrives, and so does what it writes in response. */
    void arrives(int... logs) {
        for (int rounds = 0; rounds < 10; rounds++) {
            for (int log : logs) {
                List<LogRecord> arrived = unread.getOrDefault(log, List.of());
                unread.remove(log);
                arrived.forEach(record -> reads(log, record));
            }
        }
    }

    /** Time passes in small steps. Meanwhile, only these logs work. */
    void passesWhile(long millis, int... logs) {
        for (long passed = 0; passed < millis; passed += 5) {
            now += 5;
            step(context -> {});
            arrives(logs);
        }
    }

    void becomes(Restraint restraint) {
        Eligibility eligibility = new Eligibility(true, true, restraint, false, Conflict.NONE);
        step(context -> LogRules.eligibilityChanged(context, eligibility));
    }

    void drained(long token, boolean fenced) {
        step(context -> LeaderRules.drained(context, token, fenced));
    }

    private void step(int log, Input input) {
        step(context -> LogRules.apply(context, context.logs().get(log), input));
    }

    private void step(Consumer<PartitionContext> happened) {
        PartitionContext step =
                new PartitionContext(ME, OnePartition.settings(config), config.of(0), 0, state, moment());
        PartitionElection.step(step, happened);
        state = step.partition;
        for (Election.PartitionAction each : step.actions) {
            if (each.action() instanceof Action.Append append) {
                unread.computeIfAbsent(each.log().log(), its -> new ArrayList<>())
                        .add(append.content());
            } else if (each.action() instanceof Action.Announce announce) {
                events.add(announce.event());
            }
        }
    }

    // What came of it.

    Moment moment() {
        return new Moment(OnePartition.time(now), WALL + now);
    }

    boolean leads() {
        return state.leadingAt(moment()) != Term.NONE;
    }

    long token() {
        return state.leadingAt(moment());
    }

    boolean holds(int log) {
        return state.logs().get(log).isHeldAt(moment());
    }

    @Nullable
    MemberId leader() {
        Term led = state.ledAt(moment(), ME);
        return led == null ? null : led.holder();
    }

    /** The records that it has written to the log and that have not arrived. */
    List<LogRecord> sentTo(int log) {
        return List.copyOf(unread.getOrDefault(log, List.of()));
    }

    <T extends LogRecord> boolean hasSent(int log, Class<T> type) {
        return sentTo(log).stream().anyMatch(type::isInstance);
    }

    /** The events since the last call. */
    List<LeaderEvent> events() {
        List<LeaderEvent> since = List.copyOf(events);
        events.clear();
        return since;
    }

    /** Drops what was written but not read. */
    void forget() {
        unread.clear();
        events.clear();
    }
}
