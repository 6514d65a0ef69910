package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import io.neli.kafka.MemberEngine;
import io.neli.kafka.MemberSettings;
import io.neli.protocol.Assignment;
import io.neli.protocol.ElectionState;
import io.neli.protocol.MemberId;
import io.neli.protocol.Moment;
import io.neli.protocol.PartitionState;
import io.neli.protocol.State;
import io.neli.protocol.Term;
import org.jspecify.annotations.Nullable;

/** Puts what the election knows into words for people. */
final class Snapshots {

    private Snapshots() {}

    static NeliSnapshot stopped(MemberSettings settings, Roles roles) {
        return new NeliSnapshot(
                settings.election().self().name(),
                settings.groupId(),
                settings.topic(),
                NeliSnapshot.Status.STOPPED,
                Optional.empty(),
                false,
                false,
                List.of(),
                unknown(roles),
                Map.of());
    }

    /** What lies on which partition, and no more. */
    static List<NeliSnapshot.Partition> unknown(Roles roles) {
        return IntStream.range(0, roles.partitions())
                .mapToObj(number -> unknown(number, roles))
                .toList();
    }

    private static NeliSnapshot.Partition unknown(int number, Roles roles) {
        return new NeliSnapshot.Partition(
                number,
                roles.announcedOn(number),
                State.STANDBY.name(),
                Optional.empty(),
                Optional.empty(),
                false,
                Duration.ZERO,
                Duration.ZERO,
                Optional.empty());
    }

    static NeliSnapshot of(MemberSettings settings, Roles roles, MemberEngine engine) {
        NeliSnapshot.Status status = status(engine);
        Optional<String> problem = engine.problem();
        ElectionState state = engine.state();
        Moment now = engine.now();
        MemberId self = settings.election().self();
        return new NeliSnapshot(
                self.name(),
                settings.groupId(),
                settings.topic(),
                status,
                problem,
                state.candidacy().standsAt(now.time()),
                state.candidacy().paused(),
                members(state.assignment()),
                IntStream.range(0, state.partitions().size())
                        .mapToObj(number -> partition(number, state.partitions().get(number), roles, self, now))
                        .toList(),
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

    private static NeliSnapshot.Partition partition(
            int number, PartitionState partition, Roles roles, MemberId self, Moment now) {
        return new NeliSnapshot.Partition(
                number,
                roles.announcedOn(number),
                partition.state().name(),
                Optional.ofNullable(partition.ledAt(now, self))
                        .map(term -> term.holder().name()),
                Optional.ofNullable(partition.term()).map(Term::token),
                partition.leadingAt(now) != Term.NONE,
                partition.ledFor(now),
                partition.leaseLeftAt(now),
                Optional.ofNullable(partition.owner()).map(MemberId::name));
    }
}
