package io.neli.internal.shell;

import io.neli.internal.election.MonotonicTime;

/** Reports a problem that shows in records, until no such record has been read for a while. Belongs to one thread. */
final class RecentProblem {

    private static final int LEASES_UNTIL_OVER = 10;

    private final ShellSettings settings;
    private final MemberClock clock;
    private final Problems problems;
    private final Problems.Source source;
    private MonotonicTime lastRead = MonotonicTime.NEVER;

    RecentProblem(ShellSettings settings, MemberClock clock, Problems problems, Problems.Source source) {
        this.settings = settings;
        this.clock = clock;
        this.problems = problems;
        this.source = source;
    }

    void read(String what, String fix) {
        lastRead = clock.time();
        problems.report(source, new Problem(what, fix, true));
    }

    void timePassed() {
        MonotonicTime over = lastRead.plus(settings.election().leaseDuration().multipliedBy(LEASES_UNTIL_OVER));
        if (clock.time().hasReached(over)) {
            lastRead = MonotonicTime.NEVER;
            problems.clear(source);
        }
    }
}
