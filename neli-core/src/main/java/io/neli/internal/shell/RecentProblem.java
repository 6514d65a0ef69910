package io.neli.internal.shell;

import io.neli.internal.election.MonotonicTime;

/** Reports something that was read, for as long as more comes of it. Belongs to one thread. */
final class RecentProblem {

    private static final int LEASES_UNTIL_OVER = 10;

    private final ShellSettings settings;
    private final Problems problems;
    private final Problems.Source source;
    private MonotonicTime lastRead = MonotonicTime.NEVER;

    RecentProblem(ShellSettings settings, Problems problems, Problems.Source source) {
        this.settings = settings;
        this.problems = problems;
        this.source = source;
    }

    void read(String what, String fix, MonotonicTime now) {
        lastRead = now;
        problems.report(source, new Problem(what, fix, true));
    }

    void timePassed(MonotonicTime now) {
        MonotonicTime over = lastRead.plus(settings.election().leaseDuration().multipliedBy(LEASES_UNTIL_OVER));
        if (now.hasReached(over)) {
            lastRead = MonotonicTime.NEVER;
            problems.clear(source);
        }
    }
}
