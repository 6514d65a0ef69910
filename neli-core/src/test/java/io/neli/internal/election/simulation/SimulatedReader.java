package io.neli.internal.election.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.neli.internal.election.Decoded;
import io.neli.internal.election.Input;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.LogRecord;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/** How one member reads: one poll returns records of several partitions, and what was lost may be lost in several at once. */
final class SimulatedReader {

    private final World world;
    private final SimulatedMember member;
    private final Reach[] reach;
    private final Conduct[] conduct;

    SimulatedReader(World world, SimulatedMember member, Conduct[] conduct) {
        this.world = world;
        this.member = member;
        this.reach = member.reach;
        this.conduct = conduct;
    }

    /** A few records before the end are read at first; more only if these do not suffice. */
    void open(int partition) {
        open(partition, (int) world.chance.oneOf(1L, 3L, 20L));
    }

    void opensFurtherBack(int partition) {
        reach[partition].open = false;
        open(partition, Integer.MAX_VALUE);
    }

    private void open(int partition, int records) {
        SimulatedLog log = world.logs.get(partition);
        world.timeline.after(log.delay(), () -> {
            int epoch = log.epoch();
            int farthest = log.start(member.lease());
            int end = log.readable();
            int start = Math.max(farthest, end - records);
            Input.LogOpened opened = new Input.LogOpened(start, end, start > farthest);
            world.timeline.after(log.delay(), () -> member.whenAwake(() -> opened(partition, epoch, opened)));
        });
    }

    private void opened(int partition, int epoch, Input.LogOpened log) {
        Reach at = reach[partition];
        conduct[partition].opened(epoch);
        at.epoch = epoch;
        at.open = true;
        at.openSince = member.now();
        at.losing = false;
        at.start = (int) log.start();
        at.position = at.start;
        at.visible = (int) log.end();
        world.note(member.id, "opens", partition, log);
        member.step(Map.of(partition, log));
        member.wake();
    }

    void sees(int partition, int visible) {
        Reach at = reach[partition];
        at.visible = Math.max(at.visible, visible);
        if (at.canRead()) {
            member.wake();
        }
    }

    /** Reads what is there; false if it took only a part. */
    boolean read() {
        boolean all = true;
        Map<Integer, Input> inputs = new TreeMap<>();
        for (int partition = 0; partition < reach.length; partition++) {
            all &= read(partition, inputs);
        }
        if (!inputs.isEmpty()) {
            member.step(inputs);
            for (int partition : inputs.keySet()) {
                conduct[partition].hasRead(
                        member.state().partitions().get(partition).term());
            }
        }
        return all;
    }

    private boolean read(int partition, Map<Integer, Input> inputs) {
        Reach at = reach[partition];
        if (!at.canRead()) {
            return true;
        }
        SimulatedLog log = world.logs.get(partition);
        if (!goesOn(partition)) {
            willLose(partition);
            return true;
        }
        int until = Math.min(at.visible, log.end());
        boolean partly = world.isDisturbed() && world.chance.happens(world.conditions.slowReads());
        if (partly) {
            until = Math.min(until, at.position + (int) world.chance.oneOf(0L, 1L, 2L, 5L));
        }
        if (until > at.position) {
            List<LogEntry> entries = readable(at, log.between(at.position, until));
            entries.forEach(entry -> readsToken(at, entry.content()));
            inputs.put(partition, new Input.RecordsRead(entries, until));
            at.position = until;
        }
        return !partly;
    }

    /** What a newer version has written is opaque to an older one, but for the leases that it names. */
    private List<LogEntry> readable(Reach at, List<LogEntry> entries) {
        if (!world.hasNewer() || World.isNewer(member.id)) {
            return entries;
        }
        return entries.stream().map(entry -> readable(at, entry)).toList();
    }

    private LogEntry readable(Reach at, LogEntry entry) {
        if (!(entry.content() instanceof LogRecord record) || !World.isNewer(record.member())) {
            return entry;
        }
        Duration longest = record.sender().longestLease();
        at.newerUntil = Math.max(at.newerUntil, member.now() + longest.toNanos() * 99 / 100);
        return new LogEntry(
                entry.offset(), new Decoded.Newer(longest, record.sender().token()));
    }

    private void readsToken(Reach at, Decoded content) {
        if (content instanceof LogRecord record) {
            boolean own = record.member().equals(member.id);
            if (own && record instanceof LogRecord.Claim) {
                at.tokenBeforeClaim = at.largestToken;
            }
            if (own && record instanceof LogRecord.Leasing) {
                at.ownTokenRead = Math.max(at.ownTokenRead, record.sender().token());
            }
            at.largestToken = Math.max(at.largestToken, record.sender().token());
        }
    }

    /** Whether nothing was lost that it would have read next. */
    private boolean goesOn(int partition) {
        Reach at = reach[partition];
        SimulatedLog log = world.logs.get(partition);
        if (at.epoch != log.epoch() && log.continues(at)) {
            at.epoch = log.epoch();
        }
        return at.epoch == log.epoch() && at.position >= log.first();
    }

    /** It finds out sooner or later, for this partition or for all that have lost something. */
    private void willLose(int partition) {
        if (!reach[partition].losing) {
            reach[partition].losing = true;
            long delay = world.chance.oneOf(1L, 20L, 300L) * MILLISECOND;
            boolean alone = world.chance.happens(0.5);
            world.timeline.after(delay, () -> loses(alone ? List.of(partition) : whatWasLost()));
        }
    }

    private List<Integer> whatWasLost() {
        List<Integer> lost = new ArrayList<>();
        for (int partition = 0; partition < reach.length; partition++) {
            if (reach[partition].open && !goesOn(partition)) {
                lost.add(partition);
            }
        }
        return lost;
    }

    /** It meets a gap in all of these at once. */
    void loses(List<Integer> partitions) {
        member.whenAwake(() -> {
            Map<Integer, Input> inputs = new TreeMap<>();
            for (int partition : partitions) {
                if (reach[partition].open) {
                    reach[partition].open = false;
                    inputs.put(partition, new Input.LogLost());
                }
            }
            if (!inputs.isEmpty()) {
                world.note(member.id, "meets a gap", inputs.keySet(), "");
                member.step(inputs);
                inputs.keySet().forEach(this::open);
            }
        });
    }

    /** Its client is rebuilt: nothing is read for a time, then it goes on where it was, unless the log is another one. */
    void isRebuiltFor(long duration) {
        world.note(member.id, "is rebuilt", -1, duration);
        for (Reach each : reach) {
            each.rebuilding = true;
        }
        world.timeline.after(
                duration,
                () -> member.whenAwake(() -> {
                    for (Reach each : reach) {
                        each.rebuilding = false;
                    }
                    loses(whatWasLost());
                    member.wake();
                }));
    }
}
