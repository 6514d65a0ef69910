package io.neli.internal.shell;

import java.time.Duration;
import java.util.List;

import io.neli.internal.election.Conflict;
import io.neli.internal.election.ElectionState;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.PartitionState;

/** Reports why a member must not lead next to the others, or not yet, for as long as that is so. */
final class ConflictReport {

    private final ShellSettings settings;
    private final Problems problems;

    ConflictReport(ShellSettings settings, Problems problems) {
        this.settings = settings;
        this.problems = problems;
    }

    void report(ElectionState state, MemberId self, Moment now) {
        report(state.eligibility().conflict());
        Duration own = settings.election().leaseDuration();
        Duration awaited = null;
        for (PartitionState partition : state.partitions()) {
            awaited = awaited == null ? partition.awaitedLease(now, self, own) : awaited;
        }
        if (awaited == null) {
            problems.clear(Problems.Source.LEASE);
        } else {
            problems.report(Problems.Source.LEASE, longLease(awaited, own));
        }
    }

    private void report(Conflict conflict) {
        switch (conflict) {
            case NONE -> problems.clear(Problems.Source.CONFLICT);
            case GROUP_CONFIG -> problems.report(Problems.Source.CONFLICT, otherConfig());
            case NO_LARGER_TOKEN -> problems.report(Problems.Source.CONFLICT, noLargerToken());
            case NEWER_VERSION -> problems.report(Problems.Source.CONFLICT, newerVersion());
        }
    }

    private Problem otherConfig() {
        return new Problem(
                "neli.quorum, neli.partitions, neli.roles or neli.mode differ from those of members of the group '"
                        + settings.groupId() + "' that run (here the quorum is '" + settings.quorum()
                        + "', partitions are '" + settings.partitions()
                        + "', roles are " + settings.roles()
                        + " and the mode is '"
                        + settings.election().groupConfig().mode()
                        + "'), so this one is not eligible",
                settings.candidate()
                        ? "stop all of them and start them with the same settings; each logs its own when it starts"
                        : "give this one the settings of the others, which they log when they start",
                true);
    }

    private Problem noLargerToken() {
        List<String> topics = settings.topics();
        return new Problem(
                "a record in " + topics
                        + " carries the largest fencing token that there can be, so this member could not"
                        + " lead its partition with a larger one",
                "stop all members, delete " + topics
                        + ", have stores that refuse old tokens accept smaller ones, and start the members",
                false);
    }

    private Problem longLease(Duration awaited, Duration own) {
        return new Problem(
                "neli.lease-duration is '" + own + "' here, but a record in " + settings.topics()
                        + " has granted a lease of " + awaited
                        + " to a member that is silent; nobody can lead before it ends",
                "wait, give all members the same lease, and see who else writes to " + settings.topics(),
                true);
    }

    private Problem newerVersion() {
        return new Problem(
                "members of the group '" + settings.groupId()
                        + "' run a newer version of Neli, whose records this one cannot read, so it is not"
                        + " eligible until the longest lease that they name has passed without another one, at most 10 minutes",
                "update this instance too, or stop the newer ones",
                true);
    }
}
