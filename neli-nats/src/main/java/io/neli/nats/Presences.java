package io.neli.nats;

import java.time.Duration;
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
 * The members that are present, and their assignment. All members compute the same one, because they read the same
 * announcements in the same order. Belongs to one thread.
 */
final class Presences {

    /** The longest validity of an announcement, so that a wrong one does not last. All members must agree on it. */
    private static final Duration LONGEST = ElectionSettings.LONGEST_LEASE.multipliedBy(Membership.ANNOUNCEMENTS);

    private final Map<MemberId, Presence> present = new HashMap<>();

    private record Presence(MemberMetadata reported, MonotonicTime until) {}

    /**
     * Takes an announcement.
     *
     * @param valid how long it counts; if not positive, the member leaves
     * @param age for how long it has counted already
     * @return whether the members or what they reported have changed
     */
    boolean announced(MemberMetadata reported, Duration valid, Duration age, MonotonicTime now) {
        Duration left = (valid.compareTo(LONGEST) < 0 ? valid : LONGEST).minus(age);
        if (left.isNegative() || left.isZero()) {
            return present.remove(reported.member()) != null;
        }
        Presence former = present.put(reported.member(), new Presence(reported, now.plus(left)));
        return former == null || !former.reported().equals(reported);
    }

    /** Removes members whose announcements are too old. Returns whether there were any. */
    boolean expire(MonotonicTime now) {
        return present.values().removeIf(presence -> now.hasReached(presence.until()));
    }

    /** When {@link #expire} has something to do. */
    MonotonicTime expiresAt() {
        return present.values().stream().map(Presence::until).reduce(MonotonicTime.NEVER, MonotonicTime::earlier);
    }

    /** What is assigned to that member; null if it is not present. */
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
