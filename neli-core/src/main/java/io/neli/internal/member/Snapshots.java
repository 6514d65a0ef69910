package io.neli.internal.member;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import io.neli.Job;
import io.neli.NeliSnapshot;
import io.neli.internal.election.ElectionState;
import io.neli.internal.election.LogId;
import io.neli.internal.election.LogState;
import io.neli.internal.election.MemberHash;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.PartitionState;
import io.neli.internal.election.State;
import io.neli.internal.election.Term;
import io.neli.internal.runs.JobTerm;
import io.neli.internal.runs.RunRecord;
import io.neli.internal.shell.LogElection;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.ShellSettings;
import org.jspecify.annotations.Nullable;

/** Describes what an election knows, for people. */
final class Snapshots {

    private Snapshots() {}

    static NeliSnapshot stopped(MemberSettings settings, List<Job> jobs) {
        return stopped(settings, Optional.empty(), unknown(settings), jobs);
    }

    /** Of a member without an election: nobody leads a partition of it. */
    static NeliSnapshot disabled(MemberSettings settings, String problem) {
        return stopped(settings, Optional.of(problem), List.of(), List.of());
    }

    private static NeliSnapshot stopped(
            MemberSettings settings,
            Optional<String> problem,
            List<NeliSnapshot.Partition> partitions,
            List<Job> jobs) {
        return new NeliSnapshot(
                settings.name(),
                settings.groupId(),
                settings.topic(),
                NeliSnapshot.Status.STOPPED,
                problem,
                false,
                false,
                0,
                partitions,
                Map.of(),
                jobs.stream().map(Snapshots::unknown).toList());
    }

    /** Which roles map to which partition, and nothing more. */
    static List<NeliSnapshot.Partition> unknown(MemberSettings settings) {
        return IntStream.range(0, settings.roles().partitions())
                .mapToObj(number -> unknown(number, settings))
                .toList();
    }

    private static NeliSnapshot.Partition unknown(int number, MemberSettings settings) {
        return new NeliSnapshot.Partition(
                number,
                settings.roles().announcedOn(number),
                State.STANDBY.name(),
                false,
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                false,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                Optional.empty(),
                IntStream.range(0, settings.quorum())
                        .mapToObj(log -> new NeliSnapshot.Log(
                                ShellSettings.topic(settings.topic(), log), false, false, Optional.empty()))
                        .toList());
    }

    static NeliSnapshot of(MemberSettings settings, LogElection election) {
        NeliSnapshot.Status status = status(election);
        Optional<String> problem = election.problem();
        ElectionState state = election.state();
        Moment now = election.now();
        return new NeliSnapshot(
                election.self().name(),
                settings.groupId(),
                settings.topic(),
                status,
                problem,
                state.eligibility().isEligibleAt(now.time()),
                state.eligibility().restraint().paused(),
                state.plan() == null ? 0 : state.plan().members(),
                IntStream.range(0, state.partitions().size())
                        .mapToObj(number -> partition(number, state.partitions().get(number), settings, election))
                        .toList(),
                election.ignoredRecords(),
                List.of());
    }

    /** What an engine knows, and what its member adds. */
    static NeliSnapshot of(NeliSnapshot known, List<LedPartition> partitions, JobRunner jobs) {
        List<LedPartition.Failure> failures = partitions.stream()
                .flatMap(partition -> partition.failure().stream())
                .toList();
        boolean unable = known.status() == NeliSnapshot.Status.RUNNING
                && failures.stream().anyMatch(failure -> failure.terms() > 1);
        Optional<Problem> ofListeners = failures.stream().findFirst().map(LedPartition.Failure::problem);
        return new NeliSnapshot(
                known.name(),
                known.groupId(),
                known.topic(),
                unable ? NeliSnapshot.Status.UNABLE_TO_LEAD : known.status(),
                known.problem().or(() -> ofListeners.or(jobs::problem).map(Problem::text)),
                known.eligible(),
                known.paused(),
                known.groupMembers(),
                known.partitions().stream()
                        .map(partition -> preparing(
                                partition, partitions.get(partition.partition()).preparingFor()))
                        .toList(),
                known.ignoredRecords(),
                jobs.snapshot());
    }

    private static NeliSnapshot.Partition preparing(NeliSnapshot.Partition known, Duration preparingFor) {
        return new NeliSnapshot.Partition(
                known.partition(),
                known.roles(),
                known.state(),
                known.eligible(),
                known.leader(),
                known.leaderMetadata(),
                known.token(),
                known.leading(),
                known.leadingFor(),
                preparingFor,
                known.leaseLeft(),
                known.groupOwner(),
                known.logs());
    }

    /** Only the leader of its role knows more of a job. */
    static NeliSnapshot.Job unknown(Job job) {
        return unread(job, Optional.empty());
    }

    /** Of a leader that does not know the records yet: a run may be due since it leads. */
    static NeliSnapshot.Job unread(Job job, Optional<Instant> ledSince) {
        return new NeliSnapshot.Job(job.name(), job.role(), job.schedule().text(), false, Optional.empty(), ledSince);
    }

    static NeliSnapshot.Job of(Job job, JobTerm rules) {
        return new NeliSnapshot.Job(
                job.name(),
                job.role(),
                job.schedule().text(),
                rules.isRunning(),
                rules.last().flatMap(Snapshots::of),
                rules.next());
    }

    private static Optional<NeliSnapshot.LastRun> of(RunRecord last) {
        return Optional.ofNullable(last.begun())
                .map(begun -> new NeliSnapshot.LastRun(
                        last.due(),
                        begun,
                        Optional.ofNullable(last.ended()),
                        last.succeeded(),
                        last.member(),
                        last.token()));
    }

    private static NeliSnapshot.Status status(LogElection election) {
        if (election.logProblem().isPresent()) {
            return NeliSnapshot.Status.FAILED;
        }
        return election.isRunning() ? NeliSnapshot.Status.RUNNING : NeliSnapshot.Status.CONNECTING;
    }

    private static NeliSnapshot.Partition partition(
            int number, PartitionState partition, MemberSettings settings, LogElection election) {
        MemberId self = election.self();
        Moment now = election.now();
        Optional<Term> led = Optional.ofNullable(partition.ledAt(now, self));
        return new NeliSnapshot.Partition(
                number,
                settings.roles().announcedOn(number),
                partition.state().name(),
                partition.eligibility().isEligibleAt(now.time()),
                led.map(term -> term.holder().name()),
                led.map(Term::metadata).orElse(Map.of()),
                Optional.ofNullable(partition.term()).map(Term::token),
                election.leads(number).isPresent(),
                partition.ledFor(now),
                Duration.ZERO,
                partition.leaseLeftAt(now),
                Optional.ofNullable(partition.owner()).map(owner -> name(owner, partition.term(), self)),
                IntStream.range(0, partition.logs().size())
                        .mapToObj(log ->
                                log(new LogId(number, log), partition.logs().get(log), settings, election))
                        .toList());
    }

    private static NeliSnapshot.Log log(LogId id, LogState log, MemberSettings settings, LogElection election) {
        Moment now = election.now();
        return new NeliSnapshot.Log(
                ShellSettings.topic(settings.topic(), id.log()),
                election.isReadable(id),
                log.isHeldAt(now),
                Optional.ofNullable(log.holderAt(now, election.self())).map(MemberId::name));
    }

    /** The group knows members by their hash only. */
    private static String name(MemberHash member, @Nullable Term term, MemberId self) {
        if (member.equals(self.hash())) {
            return self.name();
        }
        return term != null && member.equals(term.holder().hash())
                ? term.holder().name()
                : member.toString();
    }
}
