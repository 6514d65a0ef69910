package io.neli.internal.election;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The bids for the current term that stand, in the order of the log, and this member's own.
 *
 * @param queue who has bid; the first may claim
 * @param firstSince since when the first has been the first
 * @param seen all who have bid in the term, also those whose bid was voided
 * @param own this member's own bid that has neither been voided nor lapsed; null if there is none
 */
record Bids(List<MemberId> queue, MonotonicTime firstSince, Set<MemberId> seen, @Nullable Own own) {

    static final Bids NONE = new Bids(List.of(), MonotonicTime.PAST, Set.of(), null);

    /** A bid of this member, and whether it has been read back. */
    record Own(MonotonicTime sentAt, boolean readBack) {}

    boolean isFirst(MemberId member) {
        return !queue.isEmpty() && queue.get(0).equals(member);
    }

    /** A new term: all bids were for the one before. One that is still on its way will be stale. */
    Bids forNewTerm() {
        return new Bids(List.of(), MonotonicTime.PAST, Set.of(), onItsWay());
    }

    /** An effective record voids all bids before it. */
    Bids voided() {
        return queue.isEmpty() && own == null ? this : new Bids(List.of(), MonotonicTime.PAST, seen, onItsWay());
    }

    private @Nullable Own onItsWay() {
        return own != null && !own.readBack() ? own : null;
    }

    Bids read(MemberId member, boolean isSelf, MonotonicTime now) {
        Own ownNow = isSelf && own != null ? new Own(own.sentAt(), true) : own;
        if (queue.contains(member)) {
            return new Bids(queue, firstSince, seen, ownNow);
        }
        List<MemberId> longer = new ArrayList<>(queue);
        longer.add(member);
        Set<MemberId> more = new HashSet<>(seen);
        more.add(member);
        return new Bids(List.copyOf(longer), queue.isEmpty() ? now : firstSince, Set.copyOf(more), ownNow);
    }

    /** This member's bid came too late: it names a term that is gone. */
    Bids ownWasStale() {
        return own == null ? this : withOwn(null);
    }

    Bids sentOwn(MonotonicTime now) {
        return withOwn(new Own(now, false));
    }

    private Bids withOwn(@Nullable Own bid) {
        return new Bids(queue, firstSince, seen, bid);
    }

    MonotonicTime firstLapsesAt(Duration after) {
        return queue.isEmpty() ? MonotonicTime.NEVER : firstSince.plus(after);
    }

    /** Without the bids that were first for that long and did not claim, and without an own one not read back in time. */
    Bids withoutLapsed(MemberId self, Duration after, MonotonicTime now) {
        Bids bids = this;
        if (now.hasReached(firstLapsesAt(after))) {
            bids = new Bids(List.copyOf(queue.subList(1, queue.size())), now, seen, isFirst(self) ? null : own);
        }
        Own bid = bids.own;
        boolean lost =
                bid != null && !bid.readBack() && now.hasReached(bid.sentAt().plus(after));
        return lost ? bids.withOwn(null) : bids;
    }
}
