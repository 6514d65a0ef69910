package io.neli.internal.shell;

import java.time.Duration;

import io.neli.internal.election.MemberPlan;
import io.neli.internal.election.MonotonicTime;
import org.jspecify.annotations.Nullable;

/** Reports a live member that has the same name. Belongs to one thread. */
public final class NameCheck {

    private final String name;
    private final Duration patience;
    private final MemberClock clock;
    private final Problems problems;
    private MonotonicTime assignedAt = MonotonicTime.PAST;

    /** The patience is how long the group may take to forget a member that has crashed. */
    public NameCheck(String name, Duration patience, MemberClock clock, Problems problems) {
        this.name = name;
        this.patience = patience;
        this.clock = clock;
        this.problems = problems;
    }

    /** The group has finished an assignment. */
    public void assigned() {
        assignedAt = clock.time();
    }

    /**
     * Reports only after a while, because the other member may be this one's previous start, which has crashed. The
     * group then forgets it and finishes another assignment.
     *
     * @param plan the last assignment; null if there was none
     */
    public void check(@Nullable MemberPlan plan) {
        if (plan == null || plan.duplicates() == 0) {
            problems.clear(Problems.Source.NAME);
        } else if (clock.time().hasReached(assignedAt.plus(patience))) {
            problems.report(
                    Problems.Source.NAME,
                    new Problem(
                            "neli.name is '" + name + "': another live member has this name",
                            "give each instance its own, or leave the setting out",
                            true));
        }
    }
}
