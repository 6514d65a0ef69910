package io.neli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.neli.kafka.MemberEngine;
import io.neli.kafka.MemberSettings;
import io.neli.protocol.Assignment;
import io.neli.protocol.ElectionState;
import io.neli.protocol.MemberId;
import io.neli.protocol.PartitionState;
import io.neli.protocol.Term;
import org.jspecify.annotations.Nullable;

/** Puts what the election knows into words for people. */
final class Snapshots {

    private Snapshots() {}

    static NeliSnapshot stopped(MemberSettings settings) {
        return new NeliSnapshot(
                settings.election().self().name(),
                settings.groupId(),
                settings.topic(),
                NeliSnapshot.Status.STOPPED,
                Optional.empty(),
                false,
                false,
                List.of(),
                List.of(),
                Map.of());
    }

    static NeliSnapshot of(MemberSettings settings, Roles roles, MemberEngine engine) {
        ElectionState state = engine.state();
        return new NeliSnapshot(
                settings.election().self().name(),
                settings.groupId(),
                settings.topic(),
                status(engine),
                engine.problem(),
                state.candidacy().standsAt(engine.now().time()),
                state.candidacy().paused(),
                members(state.assignment()),
                partitions(state.partitions(), roles, engine),
                engine.ignoredRecords());
    }

    private static NeliSnapshot.Status status(MemberEngine engine) {
        if (engine.isFailing()) {
            return NeliSnapshot.Status.FAILED;
        }
        return engine.isRunning() ? NeliSnapshot.Status.RUNNING : NeliSnapshot.Status.CONNECTING;
    }

    private static List<String> members(@Nullable Assignment assignment) {
        return assignment == null
                ? List.of()
                : assignment.standing().keySet().stream()
                        .sorted()
                        .map(MemberId::name)
                        .toList();
    }

    private static List<NeliSnapshot.Partition> partitions(
            List<PartitionState> states, Roles roles, MemberEngine engine) {
        List<NeliSnapshot.Partition> partitions = new ArrayList<>();
        for (int number = 0; number < states.size(); number++) {
            PartitionState partition = states.get(number);
            partitions.add(new NeliSnapshot.Partition(
                    number,
                    roles.announcedOn(number),
                    partition.state().name(),
                    engine.leader(number).map(term -> term.holder().name()),
                    Optional.ofNullable(partition.term()).map(Term::token),
                    Optional.ofNullable(partition.owner()).map(MemberId::name)));
        }
        return partitions;
    }
}
