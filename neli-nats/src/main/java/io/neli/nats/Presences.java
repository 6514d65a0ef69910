package io.neli.nats;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

import io.neli.internal.election.Assignor;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.MemberMetadata;
import io.neli.internal.election.MemberPlan;
import io.neli.internal.election.MonotonicTime;
import org.jspecify.annotations.Nullable;

/**
 * The members that have announced themselves, and the assignment that follows: each member computes it from the same
 * announcements in the same order. Belongs to one thread.
 */
final class Presences {

    /** Longer than any member's announcement counts: a wrong one must not last. The same for all, who have to agree. */
    private static final Duration LONGEST = ElectionSettings.LONGEST_LEASE.multipliedBy(Membership.ANNOUNCEMENTS);

    private final Map<MemberId, Presence> present = new HashMap<>();

    private record Presence(MemberMetadata reported, MonotonicTime until) {}

    /**
     * A member has announced itself.
     *
     * @param valid for how long that counts; not at all if it is not positive
     * @param age for how long it has counted already
     * @return whether that is news
     */
    boolean announced(MemberMetadata reported, Duration valid, Duration age, MonotonicTime now) {
        Duration left = (valid.compareTo(LONGEST) < 0 ? valid : LONGEST).minus(age);
        if (left.isNegative() || left.isZero()) {
            return present.remove(reported.member()) != null;
        }
        Presence former = present.put(reported.member(), new Presence(reported, now.plus(left)));
        return former == null || !former.reported().equals(reported);
    }

    /** Forgets those that have not announced themselves for too long; returns whether there were any. */
    boolean expire(MonotonicTime now) {
        return present.values().removeIf(presence -> now.hasReached(presence.until()));
    }

    /** When {@link #expire} has something to do. */
    MonotonicTime expiresAt() {
        return present.values().stream()
                .map(Presence::until)
                .min(Comparator.naturalOrder())
                .orElse(MonotonicTime.NEVER);
    }

    /** What the assignment means for that member; null if it is not among them. */
    @Nullable
    MemberPlan plan(MemberId self) {
        return present.containsKey(self)
                ? Assignor.assign(present.values().stream()
                                .map(Presence::reported)
                                .toList())
                        .partOf(self)
                : null;
    }
}
