package io.neli.internal.kafka;

import io.neli.internal.election.MemberPlan;
import io.neli.internal.election.MonotonicTime;
import org.jspecify.annotations.Nullable;

/** Reports a live member that has the same name. Belongs to the group's thread. */
final class NameCheck {

    private final KafkaSettings settings;
    private final MemberClock clock;
    private final Problems problems;
    private MonotonicTime assignedAt = MonotonicTime.PAST;

    NameCheck(KafkaSettings settings, MemberClock clock, Problems problems) {
        this.settings = settings;
        this.clock = clock;
        this.problems = problems;
    }

    /** The group has finished an assignment. */
    void assigned() {
        assignedAt = clock.time();
    }

    /**
     * Another member with this name may be this one's previous start, which has crashed: the group forgets that after the session
     * timeout and finishes another assignment.
     *
     * @param plan the last assignment; null if there was none
     */
    void check(@Nullable MemberPlan plan) {
        if (plan == null || plan.duplicates() == 0) {
            problems.clear(Problems.Source.NAME);
        } else if (clock.time().hasReached(assignedAt.plus(ClientProperties.SESSION_TIMEOUT.plusSeconds(1)))) {
            problems.report(
                    Problems.Source.NAME,
                    new Problem(
                            "neli.name is '" + settings.name() + "': another live member has this name",
                            "give each instance its own, or leave the setting out",
                            true));
        }
    }
}
