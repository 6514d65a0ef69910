package io.neli.internal.member;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import io.neli.NeliSnapshot;
import io.neli.internal.election.ElectionState;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.LogId;
import io.neli.internal.election.LogState;
import io.neli.internal.election.MemberHash;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.PartitionState;
import io.neli.internal.election.Term;
import io.neli.internal.shell.ElectionThread;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.Problems;
import io.neli.internal.shell.ShellSettings;
import org.jspecify.annotations.Nullable;

/** Describes what an election on logs knows at one moment, for {@link NeliSnapshot}. */
record LogSnapshot(
        MemberSettings settings,
        GroupConfig groupConfig,
        ElectionThread election,
        Moment now,
        ElectionState state,
        MemberId self,
        IntFunction<Duration> preparingFor) {

    NeliSnapshot of(Problems problems) {
        return new NeliSnapshot(
                self.name(),
                settings.groupId(),
                settings.topic(),
                status(problems),
                problems.mostSerious().map(Problem::text),
                state.eligibility().isEligibleAt(now.time()),
                state.eligibility().restraint().paused(),
                state.plan() == null ? 0 : state.plan().members(),
                IntStream.range(0, state.partitions().size())
                        .mapToObj(number -> partition(number, state.partitions().get(number)))
                        .toList(),
                List.of());
    }

    private NeliSnapshot.Status status(Problems problems) {
        if (problems.ofLogs().isPresent()) {
            return NeliSnapshot.Status.FAILED;
        }
        return election.isRunning() ? NeliSnapshot.Status.RUNNING : NeliSnapshot.Status.CONNECTING;
    }

    private NeliSnapshot.Partition partition(int number, PartitionState partition) {
        Optional<Term> led = state.ledAt(number, now, self, groupConfig);
        return new NeliSnapshot.Partition(
                number,
                settings.roles().announcedOn(number),
                NeliSnapshot.Partition.State.valueOf(partition.state().name()),
                partition.eligibility().isEligibleAt(now.time()),
                led.map(term -> term.holder().name()),
                led.map(Term::metadata).orElse(Map.of()),
                Optional.ofNullable(partition.term()).map(Term::token),
                election.driver().leads(number).isPresent(),
                partition.ledFor(now),
                preparingFor.apply(number),
                partition.leaseLeftAt(now),
                Optional.ofNullable(partition.owner()).map(owner -> name(owner, partition.term())),
                IntStream.range(0, partition.logs().size())
                        .mapToObj(log ->
                                log(new LogId(number, log), partition.logs().get(log)))
                        .toList());
    }

    private NeliSnapshot.Log log(LogId id, LogState log) {
        return new NeliSnapshot.Log(
                ShellSettings.topic(settings.topic(), id.log()),
                election.isReadable(id),
                log.isHeldAt(now),
                Optional.ofNullable(log.holderAt(now, self)).map(MemberId::name));
    }

    /** The name of a member if it is known, otherwise its hash: group data identifies members only by their hashes. */
    private String name(MemberHash member, @Nullable Term term) {
        if (member.equals(self.hash())) {
            return self.name();
        }
        return term != null && member.equals(term.holder().hash())
                ? term.holder().name()
                : member.toString();
    }
}
