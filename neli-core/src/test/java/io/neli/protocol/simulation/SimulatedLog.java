package io.neli.protocol.simulation;

import java.util.ArrayList;
import java.util.List;

import io.neli.protocol.Decoded;
import io.neli.protocol.LogEntry;

import static io.neli.protocol.simulation.Conditions.MILLISECOND;

/** One partition: a total order, which records reach late, not at all or twice, and readers see late. */
final class SimulatedLog {

    private final World world;
    private final int partition;
    private final List<LogEntry> entries = new ArrayList<>();
    private final List<Long> arrivals = new ArrayList<>();

    SimulatedLog(World world, int partition) {
        this.world = world;
        this.partition = partition;
    }

    int end() {
        return entries.size();
    }

    List<LogEntry> between(int from, int until) {
        return entries.subList(from, until);
    }

    /** Where a reader begins that opens the log now. */
    int start() {
        int lookback = world.conditions.lookback();
        if (lookback >= 0) {
            return Math.max(0, end() - lookback);
        }
        long past = world.timeline.now() - world.conditions.longestLease() * 11 / 10;
        int start = end();
        while (start > 0 && arrivals.get(start - 1) >= past) {
            start--;
        }
        return start;
    }

    void send(Reach reach, Decoded content) {
        Chance chance = world.chance;
        if (world.isDisturbed() && chance.happens(world.conditions.loss())) {
            return;
        }
        long arrival = world.timeline.now() + delay();
        if (reach.cannotWrite) {
            if (!world.isDisturbed() || chance.happens(0.6)) {
                return;
            }
            // The producer tries again until its time is up.
            arrival = world.timeline.now() + chance.between(0, world.conditions.longestLease());
        }
        if (world.conditions.inOrder()) {
            arrival = Math.max(arrival, reach.lastArrival);
            reach.lastArrival = arrival;
        }
        world.timeline.at(arrival, () -> append(content));
    }

    void append(Decoded content) {
        Chance chance = world.chance;
        world.note("log", partition, end(), content);
        entries.add(new LogEntry(end(), content));
        arrivals.add(world.timeline.now());
        if (world.isDisturbed() && chance.happens(world.conditions.copies())) {
            Decoded old = entries.get((int) Math.max(0, end() - chance.oneOf(1L, 2L, 5L, 20L, 100L)))
                    .content();
            world.timeline.after(chance.oneOf(1L, 20L, 400L) * MILLISECOND, () -> append(old));
        }
        int visible = end();
        for (SimulatedMember member : world.members) {
            world.timeline.after(delay(), () -> member.sees(partition, visible));
        }
    }

    /** How long a record, or the news of it, is under way. */
    long delay() {
        Chance chance = world.chance;
        if (!world.isDisturbed()) {
            return chance.between(MILLISECOND / 2, 10 * MILLISECOND);
        }
        return chance.happens(0.3)
                ? chance.around(world.conditions.slowest() / 3)
                : chance.between(MILLISECOND / 2, 5 * MILLISECOND);
    }
}
