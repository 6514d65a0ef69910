package io.neli.internal.shell;

import io.neli.internal.election.LogId;
import io.neli.internal.election.MonotonicTime;

/** Reports that records come which were written to another log, for as long as they do. Belongs to one thread. */
final class CopiedRecords {

    private static final int LEASES_UNTIL_OVER = 10;

    private final ShellSettings settings;
    private final Problems problems;
    private MonotonicTime lastRead = MonotonicTime.NEVER;

    CopiedRecords(ShellSettings settings, Problems problems) {
        this.settings = settings;
        this.problems = problems;
    }

    void read(LogId log, MonotonicTime now) {
        lastRead = now;
        problems.report(
                Problems.Source.COPIES,
                new Problem(
                        "neli.topic.name is '" + settings.topic(log.log()) + "': something copies records of another"
                                + " cluster, topic or partition into it, which are ignored",
                        "exclude the topic from mirroring (topics.exclude of MirrorMaker), or give the two sites different"
                                + " names of topics",
                        true));
    }

    void timePassed(MonotonicTime now) {
        MonotonicTime over = lastRead.plus(settings.election().leaseDuration().multipliedBy(LEASES_UNTIL_OVER));
        if (now.hasReached(over)) {
            lastRead = MonotonicTime.NEVER;
            problems.clear(Problems.Source.COPIES);
        }
    }
}
