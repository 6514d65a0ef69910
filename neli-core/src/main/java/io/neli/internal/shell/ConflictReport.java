package io.neli.internal.shell;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.neli.internal.election.Conflict;
import io.neli.internal.election.ElectionState;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.PartitionConfig;
import io.neli.internal.election.PartitionState;
import io.neli.internal.election.Term;
import org.jspecify.annotations.Nullable;

/** Reports what in the other members' records keeps this member from leading, and clears it when it is over. */
record ConflictReport(ShellSettings settings, Problems problems) {

    void report(ElectionState state, MemberId self, Moment now) {
        Conflict conflict = state.conflict();
        switch (conflict) {
            case NONE -> problems.clear(Problems.Source.CONFLICT);
            case ROLES, GROUP_CONFIG -> reportOther(state, conflict, self, now);
            case NO_LARGER_TOKEN -> problems.report(Problems.Source.CONFLICT, noLargerToken());
            case NEWER_VERSION -> problems.report(Problems.Source.CONFLICT, newerVersion());
        }
        Duration own = settings.election().leaseDuration();
        Optional<Problem> lease = state.partitions().stream()
                .map(partition -> partition.awaitedLease(now, self, own))
                .filter(Objects::nonNull)
                .findFirst()
                .map(awaited -> longLease(awaited, own));
        problems.reportOrClear(Problems.Source.LEASE, lease.orElse(null));
    }

    /** Reports a leader with other settings. If none is known at the moment, the last report stays. */
    private void reportOther(ElectionState state, Conflict conflict, MemberId self, Moment now) {
        for (int partition = 0; partition < settings.partitions(); partition++) {
            PartitionConfig own = settings.election().groupConfig().of(partition);
            Term term = state.partitions().get(partition).otherConfig(self, own, now);
            if (term != null && term.config().conflictWith(own) == conflict) {
                problems.report(
                        Problems.Source.CONFLICT,
                        conflict == Conflict.ROLES ? otherRoles(state, partition, term) : otherConfig(own, term));
                return;
            }
        }
    }

    private Problem otherConfig(PartitionConfig own, Term term) {
        return new Problem(
                "the member '" + term.holder().name() + "' of the group '" + settings.groupId() + "' " + leads(term)
                        + " with other settings, so this one is not eligible: "
                        + String.join(", ", differences(term.config().group(), own.group(), settings.roles())),
                orWait(
                        term,
                        settings.candidate()
                                ? "stop all members and start them with the same settings; each logs its own when it starts"
                                : "give this one the settings of the others, which they log when they start"),
                true);
    }

    private static String leads(Term term) {
        return term.resigned() ? "led" : "leads";
    }

    private static String orWait(Term term, String fix) {
        return term.resigned()
                ? "if all members with the other settings are stopped, wait one lease; otherwise " + fix
                : fix;
    }

    /** What differs between two {@linkplain GroupConfig#fingerprint fingerprints}, for messages. */
    static List<String> differences(String there, String here, List<String> roles) {
        Map<String, String> others = properties(there);
        List<String> differences = new ArrayList<>();
        properties(here).forEach((property, own) -> {
            String other = others.get(property);
            if (!own.equals(other)) {
                differences.add(property + " is '" + other + "' there and '" + own + "' here");
            }
        });
        if (differences.isEmpty()) {
            differences.add("neli.roles differ: here they are " + roles);
        }
        return differences;
    }

    private static Map<String, String> properties(String fingerprint) {
        String[] parts = fingerprint.split("/", -1); // the other member may have written anything
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("neli.mode", parts[0].replace('_', '-'));
        properties.put("neli.partitions", parts.length < 3 ? "not set" : parts[1]);
        properties.put("neli.quorum", parts.length % 2 == 0 ? parts[parts.length - 1] : "1");
        return properties;
    }

    private Problem otherRoles(ElectionState state, int partition, Term term) {
        List<String> own = settings.election().groupConfig().roles();
        List<@Nullable String> read = new ArrayList<>();
        for (PartitionState each : state.partitions()) {
            Term latest = each.term();
            read.add(latest == null ? "?" : latest.config().role());
        }
        read.set(partition, term.config().role());
        return new Problem(
                "neli.roles are " + own + " here, and " + read + " in the records of the group '" + settings.groupId()
                        + "', where '" + term.holder().name() + "' " + leads(term) + " '"
                        + term.config().role()
                        + "', so this member is not eligible for " + own.subList(partition, own.size()),
                orWait(
                        term,
                        "give all members the same roles in the same order; add new ones at the end, and stop all"
                                + " members before you rename, move or insert one"),
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
                "neli.lease-duration is '" + Problem.text(own) + "' here, but a record in " + settings.topics()
                        + " has granted a lease of " + Problem.text(awaited)
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
