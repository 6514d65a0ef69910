package io.neli.internal.election.simulation;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.neli.internal.election.Decoded;
import io.neli.internal.election.Input;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/** Reads for one member. One poll returns records of several logs, and several logs may lose records at once. */
final class SimulatedReader {

    private static final long LONGEST_POLL = 3 * MILLISECOND;

    private final World world;
    private final SimulatedMember member;
    private final Reach[] reach;
    private final LogConduct[] logs;
    private boolean polls;

    SimulatedReader(World world, SimulatedMember member, LogConduct[] logs) {
        this.world = world;
        this.member = member;
        this.reach = member.reach;
        this.logs = logs;
    }

    /** Opens a log and reads the last few records; more only if they do not suffice. */
    void open(int number) {
        open(number, (int) world.chance.oneOf(1L, 3L, 20L));
    }

    void opensFurtherBack(int number) {
        reach[number].open = false;
        open(number, Integer.MAX_VALUE);
    }

    private void open(int number, int records) {
        SimulatedLog log = reach[number].reads;
        world.timeline.after(log.delay(), () -> log.whenUp(() -> opens(number, records)));
    }

    private void opens(int number, int records) {
        SimulatedLog log = reach[number].reads;
        int epoch = log.epoch;
        int farthest = log.start(member.lease());
        int readable = log.readable;
        int start = Math.max(farthest, readable - records);
        reach[number].end = log.saidEnd();
        Input.LogOpened opened = new Input.LogOpened(start, reach[number].end, start > farthest);
        world.timeline.after(log.delay(), () -> member.whenAwake(() -> opened(number, epoch, opened, readable)));
    }

    /** The log is open and can be read up to {@code readable}; whatever it reported beyond that was lost. */
    private void opened(int number, int epoch, Input.LogOpened log, int readable) {
        Reach at = reach[number];
        member.conductOf(number).opened(logs[number], epoch);
        at.epoch = epoch;
        at.open = true;
        at.openSince = member.now();
        at.losing = false;
        at.start = (int) log.start();
        at.position = at.start;
        at.visible = readable;
        world.note(member.id, "opens", world.name(number), log);
        member.step(Map.of(at.reads.id, log));
        member.wake();
        if (log.end() > readable) {
            opensAgainIfStuck(number);
        }
    }

    /** Opens the log again if nothing more is read for long and the reported end is not reached. */
    private void opensAgainIfStuck(int number) {
        Reach at = reach[number];
        long openSince = at.openSince;
        int position = at.position;
        world.timeline.after(2 * member.lease(), () -> {
            if (at.open && at.openSince == openSince && at.position == position && position < at.end) {
                if (at.canRead()) {
                    loses(List.of(number));
                } else {
                    opensAgainIfStuck(number);
                }
            }
        });
    }

    void sees(SimulatedLog log, int number, int visible) {
        Reach at = reach[number];
        if (at.reads != log) {
            return;
        }
        at.visible = Math.max(at.visible, visible);
        if (at.canRead() && world.conditions.quorum() == 1) {
            member.wake();
        } else if (at.canRead() && !polls) {
            // One poll reads records that arrive in several logs at about the same time.
            polls = true;
            world.timeline.after(world.chance.between(0, LONGEST_POLL), () -> {
                polls = false;
                member.wake();
            });
        }
    }

    /** Reads what is there. Returns false if it took only a part. */
    boolean read() {
        boolean all = true;
        Map<LogId, Input> inputs = new LinkedHashMap<>();
        for (int number = 0; number < reach.length; number++) {
            all &= read(number, inputs);
        }
        if (!inputs.isEmpty()) {
            member.step(inputs);
            for (LogId log : inputs.keySet()) {
                int number = world.number(log);
                logs[number].hasRead(member.log(number).term());
            }
        }
        return all;
    }

    private boolean read(int number, Map<LogId, Input> inputs) {
        Reach at = reach[number];
        if (!at.canRead()) {
            return true;
        }
        SimulatedLog log = reach[number].reads;
        if (!goesOn(number)) {
            willLose(number);
            return true;
        }
        at.losing = false; // it reads the same log again as before
        int until = Math.min(at.visible, log.end());
        boolean partly = world.isDisturbed() && world.chance.happens(world.conditions.slowReads());
        if (partly) {
            until = Math.min(until, at.position + (int) world.chance.oneOf(0L, 1L, 2L, 5L));
        }
        if (until > at.position) {
            List<LogEntry> entries = readable(at, log.between(at.position, until));
            for (LogEntry entry : entries) {
                readsToken(at, entry.content());
            }
            inputs.put(log.id, new Input.RecordsRead(entries, until));
            at.position = until;
            if (at.end > log.end()) {
                opensAgainIfStuck(number);
            }
        }
        return !partly;
    }

    /** An older version cannot decode records of a newer one, except for the leases that they name. */
    private List<LogEntry> readable(Reach at, List<LogEntry> entries) {
        if (!world.hasNewer || World.isNewer(member.id)) {
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

    /** Whether the next records still exist. */
    private boolean goesOn(int number) {
        Reach at = reach[number];
        SimulatedLog log = reach[number].reads;
        if (at.epoch != log.epoch && log.continues(at)) {
            at.epoch = log.epoch;
        }
        return at.epoch == log.epoch && at.position >= log.first;
    }

    /** It notices a loss sooner or later, for this log or for all that have lost something. */
    private void willLose(int number) {
        if (!reach[number].losing) {
            reach[number].losing = true;
            long delay = world.chance.oneOf(1L, 20L, 300L) * MILLISECOND;
            boolean alone = world.chance.happens(0.5);
            world.timeline.after(delay, () -> loses(alone ? List.of(number) : whatWasLost()));
        }
    }

    private List<Integer> whatWasLost() {
        return IntStream.range(0, reach.length)
                .filter(number -> reach[number].open && !goesOn(number))
                .boxed()
                .toList();
    }

    /** It finds gaps in all these logs at once. */
    void loses(List<Integer> numbers) {
        member.whenAwake(() -> {
            Map<LogId, Input> inputs = new LinkedHashMap<>();
            for (int number : numbers) {
                if (reach[number].open) {
                    reach[number].open = false;
                    inputs.put(reach[number].reads.id, new Input.LogLost());
                }
            }
            if (!inputs.isEmpty()) {
                world.note(member.id, "meets a gap", inputs.keySet(), "");
                member.step(inputs);
                inputs.keySet().forEach(log -> open(world.number(log)));
            }
        });
    }

    /**
     * Its client is rebuilt. It reads nothing for a time, and then continues where it was unless the log is another
     * one.
     */
    void isRebuiltFor(long duration) {
        world.note(member.id, "is rebuilt", -1, duration);
        Stream.of(reach).forEach(each -> each.rebuilding = true);
        world.timeline.after(
                duration,
                () -> member.whenAwake(() -> {
                    Stream.of(reach).forEach(each -> each.rebuilding = false);
                    loses(whatWasLost());
                    member.wake();
                }));
    }
}
