package io.neli.internal.member;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import io.neli.Job;
import io.neli.NeliSnapshot;
import io.neli.internal.runs.JobTerm;
import io.neli.internal.runs.RunRecord;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.ShellSettings;

/** Creates the snapshots of members that are not in an election, and completes those of engines. */
final class Snapshots {

    private Snapshots() {}

    /** A member that is not in an election now. */
    static NeliSnapshot stopped(MemberSettings settings, List<NeliSnapshot.Partition> partitions, List<Job> jobs) {
        return new NeliSnapshot(
                settings.name(),
                settings.groupId(),
                settings.topic(),
                NeliSnapshot.Status.STOPPED,
                Optional.empty(),
                false,
                false,
                0,
                partitions,
                jobs.stream().map(job -> unread(job, Optional.empty())).toList());
    }

    /** The partitions as far as the settings say: their roles and topics. */
    static List<NeliSnapshot.Partition> unknown(MemberSettings settings) {
        return IntStream.range(0, settings.roles().partitions())
                .mapToObj(number -> unknown(number, settings))
                .toList();
    }

    private static NeliSnapshot.Partition unknown(int number, MemberSettings settings) {
        return new NeliSnapshot.Partition(
                number,
                settings.roles().announcedOn(number),
                NeliSnapshot.Partition.State.STANDBY,
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

    static NeliSnapshot of(Engine engine, List<LedPartition> partitions, JobRunner jobs) {
        NeliSnapshot known =
                engine.snapshot(partition -> partitions.get(partition).preparingFor());
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
                known.partitions(),
                jobs.snapshot());
    }

    /** A job whose records this member has not read: if it leads, a run may have been due since it began to lead. */
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
}
