package io.neli.internal.election;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The claims and heartbeats that this member has sent to a log: each may grant it a lease.
 *
 * @param sent the latest records and when they were sent, oldest first
 * @param unknownTo the largest sequence that was forgotten; negative if none was
 */
record Outgoing(List<Sent> sent, long unknownTo) {

    /** More heartbeats than fit into a lease. Forgetting older ones can only shorten a lease. */
    private static final int REMEMBERED = 64;

    static final Outgoing NONE = new Outgoing(List.of(), -1);

    private static final long MILLION = 1_000_000;

    record Sent(long sequence, Moment at) {}

    /**
     * The next record, if it is sent now. Sequences grow by steps that depend on the clock: if a snapshot of this
     * process runs twice, each of the two soon uses a sequence that the other does not.
     */
    Sent next(Moment now) {
        return new Sent(lastSequence() + 1 + Math.floorMod(now.time().nanos(), MILLION), now);
    }

    private long lastSequence() {
        return sent.isEmpty() ? unknownTo : sent.get(sent.size() - 1).sequence();
    }

    /** Whether this member certainly has not sent that record. False for any that it may have forgotten. */
    boolean isForeign(long sequence) {
        return sequence > unknownTo && sentAt(sequence) == null;
    }

    @Nullable
    Moment sentAt(long sequence) {
        for (int i = sent.size() - 1; i >= 0; i--) {
            if (sent.get(i).sequence() == sequence) {
                return sent.get(i).at();
            }
        }
        return null;
    }

    Outgoing sent(Sent latest) {
        boolean forgets = sent.size() == REMEMBERED;
        return new Outgoing(remembering(sent, latest), forgets ? sent.get(0).sequence() : unknownTo);
    }

    /** The list with one more record, and without the first if there are too many. */
    static <T> List<T> remembering(List<T> records, T latest) {
        List<T> kept = records.size() == REMEMBERED ? records.subList(1, REMEMBERED) : records;
        List<T> longer = new ArrayList<>(kept.size() + 1);
        longer.addAll(kept);
        longer.add(latest);
        return Collections.unmodifiableList(longer);
    }

    /** The log was lost: what was sent to it renews no lease. */
    Outgoing forgotten() {
        return new Outgoing(List.of(), lastSequence());
    }
}
