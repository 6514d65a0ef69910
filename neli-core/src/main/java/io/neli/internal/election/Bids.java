package io.neli.internal.election;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The bids for the current term.
 *
 * @param queue the members whose bids are valid, in log order; the first may claim
 * @param firstSince when the first of them became first
 * @param bidders all members that have bid in this term, even if their bids were voided or have lapsed
 * @param own this member's bid, until it is voided or lapses; null if none
 */
record Bids(List<MemberId> queue, MonotonicTime firstSince, Set<MemberId> bidders, @Nullable Own own) {

    static final Bids NONE = new Bids(List.of(), MonotonicTime.PAST, Set.of(), null);

    record Own(MonotonicTime sentAt, boolean readBack) {}

    /** The most bids that count at a time, so that not every member of a large group has to write one. */
    private static final int ENOUGH = 3;

    boolean hasRoom() {
        return queue.size() < ENOUGH;
    }

    boolean isFirst(MemberId member) {
        return !queue.isEmpty() && queue.get(0).equals(member);
    }

    /** Whether that member has bid in this term, even if the bid no longer counts. */
    boolean hasBid(MemberHash member) {
        return bidders.stream().anyMatch(bidder -> bidder.hash().equals(member));
    }

    /** A new term begins: bids for the previous one no longer count. */
    Bids forNewTerm() {
        return new Bids(List.of(), MonotonicTime.PAST, Set.of(), inFlight());
    }

    /** An effective record voids all earlier bids. */
    Bids voided() {
        return queue.isEmpty() && own == null ? this : new Bids(List.of(), MonotonicTime.PAST, bidders, inFlight());
    }

    /** A bid that has not been read back comes later in the log, so it is kept. */
    private @Nullable Own inFlight() {
        return own != null && !own.readBack() ? own : null;
    }

    Bids read(MemberId member, boolean isSelf, MonotonicTime now) {
        Own ownNow = isSelf && own != null ? new Own(own.sentAt(), true) : own;
        if (queue.contains(member)) {
            return new Bids(queue, firstSince, bidders, ownNow);
        }
        Set<MemberId> more = new HashSet<>(bidders);
        more.add(member);
        if (!hasRoom()) { // its sender had not read the others; a long queue could keep all members from leading
            return new Bids(queue, firstSince, Set.copyOf(more), isSelf ? null : own);
        }
        List<MemberId> longer = new ArrayList<>(queue);
        longer.add(member);
        return new Bids(List.copyOf(longer), queue.isEmpty() ? now : firstSince, Set.copyOf(more), ownNow);
    }

    /** Forgets this member's bid, so that it may bid again. */
    Bids withoutOwn() {
        return own == null ? this : withOwn(null);
    }

    Bids sentOwn(MonotonicTime now) {
        return withOwn(new Own(now, false));
    }

    private Bids withOwn(@Nullable Own bid) {
        return new Bids(queue, firstSince, bidders, bid);
    }

    MonotonicTime firstLapsesAt(Duration after) {
        return queue.isEmpty() ? MonotonicTime.NEVER : firstSince.plus(after);
    }

    /** When this member's bid lapses, unless it is read back before. */
    MonotonicTime ownLapsesAt(Duration after) {
        Own unread = inFlight();
        return unread == null ? MonotonicTime.NEVER : unread.sentAt().plus(after);
    }

    /** Drops the first bid if it has been first for {@code after}, and an own bid not read back in that time. */
    Bids withoutLapsed(MemberId self, Duration after, MonotonicTime now) {
        Bids bids = this;
        if (now.hasReached(firstLapsesAt(after))) {
            bids = new Bids(List.copyOf(queue.subList(1, queue.size())), now, bidders, isFirst(self) ? null : own);
        }
        return now.hasReached(bids.ownLapsesAt(after)) ? bids.withOwn(null) : bids;
    }
}
