package io.neli.internal.election.simulation;

import java.util.ArrayList;
import java.util.List;

import io.neli.internal.election.Decoded;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;
import org.jspecify.annotations.Nullable;

import static io.neli.internal.election.simulation.Conditions.MILLISECOND;

/**
 * One log of one partition: a total order. Records may arrive late, not at all or twice, and readers may see them late.
 * It may lose records: old ones that nobody needs or, against the protocol's assumptions, its end or everything; then
 * another <em>epoch</em> begins.
 */
final class SimulatedLog {

    /** The difference between the epochs of a log and of its replacement. */
    private static final int REPLACED = 1_000;

    final World world;
    final LogId id;
    private final int number;
    private final List<LogEntry> entries = new ArrayList<>();
    private final List<Fold> folds = new ArrayList<>();
    int first;
    int epoch;
    private @Nullable SimulatedLog replacedBy;
    private int kept;
    /** The end that readers are told. */
    int readable;

    private long stalledUntil;
    private boolean createdAgain;
    private long downUntil;
    private List<Runnable> waiting = new ArrayList<>();
    private long cutAt;
    private long lostAt = -1;
    /** When the last resignation arrived. */
    long resignedAt;
    /** When the last record, or notification, that was sent while the world was disturbed arrives. */
    long underWayUntil;

    private int more;
    private long saysMoreUntil;

    SimulatedLog(World world, LogId id) {
        this.world = world;
        this.id = id;
        this.number = world.number(id);
    }

    int end() {
        return entries.size();
    }

    /** The end reported when the log is opened. It is too high if records are lost right after. */
    int saidEnd() {
        return world.isDisturbed() && world.timeline.now() < saysMoreUntil ? readable + more : readable;
    }

    /** Members that soon open the log wait for records that are lost before anybody can read them. */
    void saysTooHighAnEnd(int by, long duration) {
        more = by;
        saysMoreUntil = world.timeline.now() + duration;
        world.note("log", world.name(number), "says too high an end", by);
    }

    /** Whether the epoch is one of this log, not of one that it replaced. */
    boolean isInstance(int ofReader) {
        return ofReader / REPLACED == epoch / REPLACED;
    }

    /** When the last effective record arrived. */
    long lastEffectiveAt() {
        int effective = before(end()).effective();
        return effective < 0 ? 0 : folds.get(effective).arrivedAt();
    }

    /** What the log says before an offset. */
    Fold before(int offset) {
        return offset == 0 ? Fold.EMPTY : folds.get(offset - 1);
    }

    List<LogEntry> between(int from, int until) {
        return entries.subList(from, until);
    }

    // How far a reader sees.

    /**
     * How far back a member that opens the log now may read. If too many foreign records hide those of the group, the
     * protocol requires only that it reads of the longest lease that may still last.
     */
    int start(long lease) {
        return world.conditions.goesBack() ? first : startByLease(lease);
    }

    private int startByLease(long lease) {
        int lookback = world.conditions.lookback();
        long longest = world.conditions.longestLease();
        long past = world.timeline.now() - longest * 11 / 10;
        int start = lookback < 0 ? readable : Math.max(0, readable - lookback);
        if (lookback >= 0 && lease == longest) {
            return Math.max(start, first);
        }
        for (int offset = readable - 1; offset >= first && folds.get(offset).arrivedAt() >= past; offset--) {
            if (lookback < 0) {
                start = offset;
            } else if (entries.get(offset).content() instanceof LogRecord record
                    && record.sender().longestLease().toNanos() == longest) {
                return Math.max(Math.min(start, offset), first);
            }
        }
        return Math.max(start, first);
    }

    /** Whether a reader of an earlier epoch may continue, because it has neither read nor waits for anything lost. */
    boolean continues(Reach reader) {
        return reader.epoch == epoch - 1 && !createdAgain && reader.position <= kept && reader.visible <= kept;
    }

    /** For a while, nobody can read what is appended: a broker's disk stalls, or its replicas lag. */
    void stallsFor(long duration) {
        stalledUntil = Math.max(stalledUntil, world.timeline.now() + duration);
        world.note("log", world.name(number), "stalls", duration);
        world.timeline.at(stalledUntil, this::notifyReaders);
    }

    void stallsNoMore() {
        stalledUntil = 0;
        restarts();
        notifyReaders();
    }

    /** The broker is down: nothing is appended or read. Records already sent may arrive afterwards. */
    void crashesFor(long duration) {
        downUntil = Math.max(downUntil, world.timeline.now() + duration);
        world.note("log", world.name(number), "crashes", duration);
        long until = downUntil;
        stalledUntil = Math.max(stalledUntil, until);
        world.timeline.at(until, () -> {
            if (downUntil == until) {
                restarts();
                notifyReaders();
            }
        });
    }

    /** The broker is down for good. */
    void dies() {
        crashesFor(Long.MAX_VALUE / 4);
    }

    boolean isDown() {
        return world.timeline.now() < downUntil;
    }

    private void restarts() {
        downUntil = 0;
        List<Runnable> waited = waiting;
        waiting = new ArrayList<>();
        waited.forEach(Runnable::run);
    }

    /** Runs an action as soon as the log is up. */
    void whenUp(Runnable what) {
        if (isDown()) {
            waiting.add(what);
        } else {
            what.run();
        }
    }

    // What it loses.

    /** Deletes records by retention. No lease that they granted lasts. */
    void deletesOld() {
        long past = world.timeline.now() - world.conditions.longestLease() * 11 / 10;
        // If there are several logs, each must keep the records that identify it.
        int most = world.conditions.quorum() > 1 ? readable - 100 : readable;
        while (first < most && folds.get(first).arrivedAt() < past) {
            first++;
        }
        lostAt = world.timeline.now();
        world.note("log", world.name(number), "is deleted before", first);
    }

    void losesEnd(int count) {
        cut(Math.max(first, end() - count), false);
    }

    /** A power failure: what can be read is on disk; what was appended since is lost. */
    void losesUnflushed() {
        cut(readable, false);
    }

    /** An empty log replaces this one, which may still serve members that reach it. */
    SimulatedLog isReplaced() {
        SimulatedLog next = new SimulatedLog(world, id);
        next.epoch = epoch + REPLACED;
        next.createdAgain = true;
        next.cutAt = world.timeline.now();
        next.lostAt = next.cutAt;
        next.downUntil = downUntil;
        next.stalledUntil = stalledUntil;
        replacedBy = next;
        world.note("log", world.name(number), "is replaced", "");
        return next;
    }

    /** This log, or its latest replacement. */
    SimulatedLog newest() {
        return replacedBy == null ? this : replacedBy.newest();
    }

    void isCreatedAnew() {
        cut(0, true);
    }

    private void cut(int newEnd, boolean again) {
        entries.subList(newEnd, end()).clear();
        folds.subList(newEnd, folds.size()).clear();
        first = again ? 0 : first;
        kept = newEnd;
        readable = Math.min(readable, newEnd);
        createdAgain = again;
        cutAt = world.timeline.now();
        lostAt = cutAt;
        epoch++;
        world.note("log", world.name(number), again ? "is created again" : "loses its end from", newEnd);
        notifyReaders();
    }

    /** Whether the loss excuses two leaders: for one lease, and not if both terms are of the newest epoch. */
    boolean excuses(int oneEpoch, int otherEpoch) {
        boolean older = Math.min(oneEpoch, otherEpoch) < epoch && !(createdAgain && oneEpoch == otherEpoch);
        return older && world.timeline.now() <= cutAt + world.conditions.longestLease() * 101 / 100;
    }

    /** Whether the end, or everything, was lost within the last {@code duration}. */
    boolean hasLostWithin(long duration) {
        return epoch > 0 && world.timeline.now() <= cutAt + duration;
    }

    /** Whether records, old or new, were lost at or after {@code moment}. */
    boolean hasLostSince(long moment) {
        return lostAt >= moment;
    }

    // What is written.

    void send(Reach reach, Decoded content) {
        Chance chance = world.chance;
        if (world.isDisturbed() && chance.happens(world.conditions.loss())
                || reach.muteUntilBid
                || reach.losesClaims && content instanceof LogRecord.Claim) {
            return;
        }
        if (reach.losesNextBid && content instanceof LogRecord.Bid) {
            reach.losesNextBid = false;
            return;
        }
        long arrival = world.timeline.now() + delay();
        if (reach.cannotWrite) {
            if (!world.isDisturbed() || chance.happens(0.6)) {
                return;
            }
            // The producer retries until its timeout.
            arrival = world.timeline.now() + isUnderWayFor(chance.between(0, world.conditions.longestLease()));
        }
        if (world.conditions.inOrder()) {
            arrival = Math.max(arrival, reach.lastArrival);
            reach.lastArrival = arrival;
        }
        world.timeline.at(arrival, () -> arrives(content));
    }

    /** The producer retries until its timeout, and does not know whether the log was down for longer. */
    private void arrives(Decoded content) {
        if (!isDown()) {
            append(content);
        } else if (downUntil < world.timeline.now() + world.conditions.longestLease() && world.chance.happens(0.5)) {
            world.timeline.after(
                    isUnderWayFor(downUntil - world.timeline.now() + world.chance.between(0, 20 * MILLISECOND)),
                    () -> arrives(content));
        }
    }

    void append(Decoded content) {
        append(content, world.isDisturbed() && world.chance.happens(world.conditions.copies()));
    }

    private void append(Decoded content, boolean copied) {
        Chance chance = world.chance;
        if (world.isTraced()) {
            world.note("log", world.name(number), end(), content);
        }
        folds.add(before(end()).with(end(), content, world.timeline.now()));
        entries.add(new LogEntry(end(), content));
        if (copied) {
            long back = world.conditions.copies() == 1 ? 1 : chance.oneOf(1L, 2L, 5L, 20L, 100L);
            Decoded old = entries.get((int) Math.max(0, end() - back)).content();
            world.timeline.after(isUnderWayFor(chance.oneOf(1L, 20L, 400L) * MILLISECOND), () -> append(old, false));
        }
        notifyReaders();
        if (content instanceof LogRecord.Claim claim) {
            world.claimed(number, claim.member());
        } else if (content instanceof LogRecord.Resign) {
            resignedAt = world.timeline.now();
        } else if (content instanceof LogRecord.Bid bid) {
            world.bid(number, bid.member());
        }
    }

    private void notifyReaders() {
        if (world.timeline.now() < stalledUntil) {
            return;
        }
        readable = end();
        int visible = readable;
        for (int i = 0; i < world.members.size(); i++) {
            SimulatedMember member = world.members.get(i);
            if (number < member.reach.length && member.reach[number].reads == this) {
                world.timeline.after(delay(), () -> member.reader.sees(this, number, visible));
            }
        }
    }

    /** How long a record, or the notification of readers, is under way. */
    long delay() {
        Chance chance = world.chance;
        if (!world.isDisturbed()) {
            return chance.between(MILLISECOND / 2, 10 * MILLISECOND);
        }
        return isUnderWayFor(
                chance.happens(0.3)
                        ? chance.around(world.conditions.slowest() / 3)
                        : chance.between(MILLISECOND / 2, 5 * MILLISECOND));
    }

    private long isUnderWayFor(long delay) {
        underWayUntil = Math.max(underWayUntil, world.timeline.now() + delay);
        return delay;
    }
}
