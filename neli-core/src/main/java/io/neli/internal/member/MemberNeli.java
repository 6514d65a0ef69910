package io.neli.internal.member;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.neli.Job;
import io.neli.Leader;
import io.neli.LeaderListener;
import io.neli.LeaderTerm;
import io.neli.LeaderWork;
import io.neli.Leadership;
import io.neli.Mode;
import io.neli.Neli;
import io.neli.Neli.BackgroundTask;
import io.neli.Neli.LeaderTask;
import io.neli.NeliException;
import io.neli.NeliSnapshot;
import io.neli.NotLeaderException;
import io.neli.internal.shell.Participant;
import io.neli.internal.shell.Problem;
import org.jspecify.annotations.Nullable;

/** The election as an application uses it. It can be started again; each start is a new {@link Member}. */
public class MemberNeli implements Neli {

    private final MemberSettings settings;
    private final Engine.Factory engines;
    private final InstantSource jobClock;
    private final List<Job> jobs = new CopyOnWriteArrayList<>();
    private volatile @Nullable Member member;

    /** Null until {@link #candidate(boolean)} overrides the setting. */
    private @Nullable Boolean candidate;

    public MemberNeli(MemberSettings settings, Engine.Factory engines) {
        this(settings, engines, InstantSource.system());
    }

    /** The clock decides when jobs are due. */
    public MemberNeli(MemberSettings settings, Engine.Factory engines, InstantSource jobClock) {
        this.settings = settings;
        this.engines = engines;
        this.jobClock = jobClock;
    }

    @Override
    public void start() {
        Member former = member;
        if (former != null && !former.isClosing()) {
            return;
        }
        try {
            if (former != null) {
                former.awaitEnd();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NeliException("the start was interrupted", "start again");
        }
        Member begun = begin(former);
        if (begun != null) {
            try {
                begun.start();
                begun.awaitStarted();
            } catch (RuntimeException | Error e) {
                begun.close();
                throw e;
            }
        }
    }

    /** Returns null if another start was faster: a member must follow only one that has ended. */
    private synchronized @Nullable Member begin(@Nullable Member former) {
        if (member != former) {
            return null;
        }
        Member next = new Member(settings, engines, jobs, jobClock);
        if (candidate != null) {
            next.engine().participant().candidate(candidate);
        }
        member = next;
        return next;
    }

    /** The member of the current start; empty if it is not started or is closing. */
    protected final Optional<Member> running() {
        return Optional.ofNullable(member).filter(current -> !current.isClosing());
    }

    /**
     * The member of the current start.
     *
     * @throws IllegalStateException if it is not started or is closing
     */
    protected final Member started() {
        return running()
                .orElseThrow(() -> new IllegalStateException("the election is not started: call start() first"));
    }

    @Override
    public String defaultRole() {
        return settings.roles().first();
    }

    @Override
    public List<String> roles() {
        return settings.roles().listed();
    }

    @Override
    public Duration handoverTimeout() {
        return settings.handoverTimeout();
    }

    @Override
    public int partitionOf(String role) {
        return settings.roles().partitionOf(role);
    }

    @Override
    public boolean isLeader(String role) {
        LedPartition partition = partition(role);
        return partition != null && partition.isLed();
    }

    @Override
    public Optional<Leadership> leadership(String role) {
        LedPartition partition = partition(role);
        return partition == null ? Optional.empty() : partition.leadership(role);
    }

    /** Null before the first start, when an unknown role is refused, too. */
    private @Nullable LedPartition partition(String role) {
        int number = partitionOf(role);
        Member current = member;
        return current == null ? null : current.partition(number);
    }

    @Override
    public Optional<Leader> leader(String role) {
        int partition = partitionOf(role);
        return running().flatMap(current -> current.engine().leader(partition, role));
    }

    @Override
    public Optional<Leadership> awaitLeadership(String role, Duration timeout) throws InterruptedException {
        Member current = member;
        return current == null || !current.engine().takesPart()
                ? leadership(role)
                : current.partitionOf(role).awaitLeadership(role, timeout);
    }

    @Override
    public Optional<LeaderWork> beginWork(String role) {
        LedPartition partition = partition(role);
        Optional<LeaderWork> work = partition == null ? Optional.empty() : partition.gate.enter(role);
        if (work.isEmpty()) {
            settings.metrics().report(each -> each.workSkipped(role));
        }
        return work;
    }

    @Override
    public BackgroundTask background(String role, LeaderTask task) {
        Objects.requireNonNull(task, "task");
        Member current = started();
        return current.engine().takesPart() ? current.background(role, task) : () -> {};
    }

    @Override
    public void schedule(Job job) {
        if (job.schedule() instanceof Job.Times times) {
            Instant unused = times.next().apply(jobClock.instant()); // one that always throws does so here
        }
        add(job);
    }

    private synchronized void add(Job job) {
        if (settings.mode() == Mode.NON_EXCLUSIVE) {
            throw new NeliException(
                    "neli.mode is 'non-exclusive', where two members may lead at a time, and job '" + job.name()
                            + "' must not run twice",
                    "set neli.mode to 'exclusive', or let the leader do the work without a job");
        }
        if (named(job.name()).isPresent()) {
            throw new NeliException(
                    "there are two jobs named '" + job.name() + "', and their runs are recorded by name",
                    "give one of them another name");
        }
        partitionOf(job.role()); // refuses an unknown role
        jobs.add(job);
        running().ifPresent(current -> current.jobs().added(job));
    }

    @Override
    public void unschedule(String job) {
        jobs.removeIf(scheduled -> scheduled.name().equals(job));
    }

    @Override
    public void runNow(String job) {
        Job wanted = named(job)
                .orElseThrow(() -> new IllegalArgumentException("there is no job '" + job + "': the jobs are "
                        + jobs.stream().map(Job::name).toList()));
        if (!isLeader(wanted.role())) {
            throw new NotLeaderException(wanted.role(), leader(wanted.role()));
        }
        started().jobs().runNow(wanted);
    }

    private Optional<Job> named(String name) {
        return jobs.stream().filter(job -> job.name().equals(name)).findFirst();
    }

    @Override
    public void resign(Duration cooldown) {
        resignFrom(null, cooldown);
    }

    @Override
    public void resign(String role, Duration cooldown) {
        resignFrom(partitionOf(role), cooldown);
    }

    private void resignFrom(@Nullable Integer partition, Duration cooldown) {
        if (cooldown.isNegative() || cooldown.compareTo(LONGEST_COOLDOWN) > 0) {
            throw new IllegalArgumentException("cooldown is '" + Problem.text(cooldown)
                    + "': it must not be negative or longer than " + LONGEST_COOLDOWN.toDays()
                    + " days; pause() lasts until resume()");
        }
        participate(election -> election.resign(partition, cooldown));
    }

    private void participate(Consumer<Participant> change) {
        running().ifPresent(current -> change.accept(current.engine().participant()));
    }

    @Override
    public void pause() {
        participate(election -> election.pause(null, true));
    }

    @Override
    public void pause(String role) {
        int partition = partitionOf(role);
        participate(election -> election.pause(partition, true));
    }

    @Override
    public void resume() {
        participate(election -> election.pause(null, false));
    }

    @Override
    public void resume(String role) {
        int partition = partitionOf(role);
        participate(election -> election.pause(partition, false));
    }

    @Override
    public synchronized void candidate(boolean candidate) {
        this.candidate = candidate;
        participate(election -> election.candidate(candidate));
    }

    @Override
    public void addListener(LeaderListener listener) {
        settings.listeners().add(Objects.requireNonNull(listener, "listener"));
    }

    @Override
    public List<LeaderTerm> history(String role, Duration since) throws InterruptedException {
        if (since.isNegative() || since.isZero()) {
            throw new IllegalArgumentException("use a time longer than 0, such as 6h");
        }
        return engines.history(partitionOf(role), since);
    }

    @Override
    public NeliSnapshot snapshot() {
        Member current = member;
        if (current == null || current.isClosed()) {
            return Snapshots.stopped(settings, Snapshots.unknown(settings), jobs);
        }
        NeliSnapshot known = current.snapshot();
        return current.isClosing() ? Snapshots.stopped(settings, known.partitions(), jobs) : known;
    }

    @Override
    public void close() {
        Member current = member;
        if (current != null) {
            current.close();
        }
    }

    @Override
    public void awaitClosed() throws InterruptedException {
        Member current = member;
        if (current != null) {
            current.awaitClosed();
        }
    }
}
