package io.neli.internal.member;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.neli.Job;
import io.neli.NeliSnapshot;
import io.neli.internal.runs.RunKey;
import io.neli.internal.runs.RunRecord;
import io.neli.internal.runs.RunStore;
import io.neli.internal.shell.Backoff;
import io.neli.internal.shell.Deadline;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.Problems;
import io.neli.internal.shell.Problems.Source;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the jobs of one start of a member while it leads. A separate thread, which exists only if there are jobs, reads
 * and writes their records and waits for their times. Runs execute on the executors of the jobs. Thread-safe.
 */
public final class JobRunner {

    private static final Logger log = LoggerFactory.getLogger("io.neli");

    /** How far a recorded run may be ahead of this member's clock before that is a problem. */
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

    final MemberSettings settings;
    final RunStore store;
    final Function<String, WorkGate> gates;
    final MemberClock clock = MemberClock.system();
    final InstantSource date;
    final JobThread thread;
    private final List<Job> jobs;
    private final Problems problems;
    private final Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));
    private final Map<String, ActiveJob> active = new ConcurrentHashMap<>();
    private final Queue<Unread> unread = new ConcurrentLinkedQueue<>();
    private final Task preparation = new Task(this::prepare);
    private final Task reading = new Task(this::readQueued);

    /** Begun when no more attempts follow one that has failed. Finds out when the problem is solved. */
    final Task check = new Task(this::checkStore);

    private boolean settled;

    /** A job whose records are to be read after the begin of this term. */
    private record Unread(TermLeadership term, Job job) {}

    /**
     * @param jobs jobs may be added and removed
     * @param date the clock that decides when jobs are due
     */
    JobRunner(
            MemberSettings settings,
            List<Job> jobs,
            RunStore store,
            Function<String, WorkGate> gates,
            InstantSource date) {
        this.settings = settings;
        this.jobs = jobs;
        this.store = store;
        this.gates = gates;
        this.date = date;
        this.problems = new Problems(settings.groupId());
        this.thread = new JobThread(settings.threadName("jobs"), this::stepped);
    }

    /** Checks early whether runs can be recorded. */
    void start() {
        if (!jobs.isEmpty() && settings.candidate()) {
            thread.post(preparation::begin);
        }
    }

    private void prepare() {
        if (jobs.isEmpty()) {
            problems.clear(Source.RUNS);
        } else {
            preparation.attempt(() -> {
                store.prepare();
                return true;
            });
        }
    }

    /** Called when work may begin in this term. */
    void begin(TermLeadership term) {
        queue(term, jobsOf(term));
    }

    private void queue(TermLeadership term, List<Job> wanted) {
        if (!wanted.isEmpty()) {
            wanted.forEach(job -> unread.add(new Unread(term, job)));
            thread.post(reading::begin);
        }
    }

    /** Called when this member hands over or was fenced: neither must wait until a thread is free for a run. */
    void termEnded() {
        if (!active.isEmpty()) {
            thread.post(() -> active.values().forEach(ActiveJob::takeBack));
        }
    }

    void added(Job job) {
        gates.apply(job.role()).term().ifPresentOrElse(term -> queue(term, List.of(job)), this::start);
    }

    private List<Job> jobsOf(TermLeadership term) {
        return jobs.stream()
                .filter(job -> settings.roles().partitionOf(job.role()) == term.partition())
                .toList();
    }

    /** Runs a job even if it is not due, unless a run is in progress. */
    void runNow(Job job) {
        thread.post(() -> {
            ActiveJob now = active.get(job.name());
            if (now == null || !now.isLed()) {
                log.warn(
                        "Group {}: job '{}' cannot be run, because its records were not read yet",
                        settings.groupId(),
                        job.name());
            } else {
                now.runNow();
            }
        });
    }

    /** Reads once for all that wait, because a member may take over many roles at once. */
    private void readQueued() {
        if (unread.isEmpty()) { // an earlier step has read for them
            return;
        }
        List<Unread> wanted = new ArrayList<>();
        for (Unread next = unread.poll(); next != null; next = unread.poll()) {
            wanted.add(next);
        }
        wanted.removeIf(each -> !isWanted(each));
        if (wanted.isEmpty()) {
            check.begin();
            return;
        }
        reading.attempt(store::read)
                .ifPresentOrElse(all -> wanted.forEach(each -> activate(each, all)), () -> unread.addAll(wanted));
    }

    /** Whether the term lasts, and the job was not removed: it may be replaced by one of the same name. */
    private boolean isWanted(Unread read) {
        return read.term().isValid() && jobs.contains(read.job());
    }

    private void activate(Unread read, Map<RunKey, RunRecord> records) {
        if (!isWanted(read)) { // reading takes a while: after the term, the records are the next leader's
            return;
        }
        Job job = read.job();
        ActiveJob former = active.get(job.name());
        if (former != null && former.isUnderWayIn(read.term())) {
            // It was removed and added again: its run may still be in progress.
            former.whenWaiting(() -> {
                unread.add(read);
                reading.begin();
            });
            return;
        }
        ActiveJob begun = new ActiveJob(this, job, read.term());
        active.put(job.name(), begun);
        begun.read(records.entrySet().stream()
                .filter(entry -> entry.getKey().job().equals(job.name()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /** Called after each step, because any member's clock may be set at any time. */
    private void checkClocks() {
        Instant latest = date.instant().plus(CLOCKS_DIFFER);
        active.values().stream()
                .filter(ActiveJob::isLed)
                .filter(on -> on.notBefore().filter(latest::isBefore).isPresent())
                .min(Comparator.comparing(ActiveJob::name))
                .ifPresentOrElse(
                        ahead -> problems.report(
                                Source.JOB,
                                new Problem(
                                        "job '" + ahead.name() + "': a run is recorded for "
                                                + ahead.notBefore().orElseThrow()
                                                + ", which is more than a minute ahead of this member's clock, so the job"
                                                + " does not run before that time",
                                        "set the clocks of all members to the right time; if they are, delete that"
                                                + " record (docs/schedules.md)",
                                        true)),
                        () -> problems.clear(Source.JOB));
    }

    /** Something that is tried until it succeeds. While another attempt is scheduled, it is not begun. */
    final class Task {

        private final Runnable step;
        private boolean isScheduled;

        /** @param step calls {@link #attempt}, unless that is not needed any more */
        Task(Runnable step) {
            this.step = step;
        }

        void begin() {
            if (!isScheduled) {
                step.run();
            }
        }

        /** Returns empty if the attempt fails, and schedules the next step. */
        <T> Optional<T> attempt(Callable<T> attempt) {
            try {
                T result = attempt.call();
                succeeded();
                return Optional.of(result);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the thread is being closed
            } catch (Throwable e) { // an error, too: otherwise the jobs would not run in this term
                isScheduled = true;
                failed(e, this::again);
            }
            return Optional.empty();
        }

        private void again() {
            isScheduled = false;
            step.run();
        }
    }

    /** Called when records were read or written. */
    void succeeded() {
        problems.clear(Source.RUNS);
        backoff.reset();
    }

    /** Called when records could not be read or written. Tries again later. */
    void failed(Throwable failure, Runnable again) {
        if (thread.isClosed()) {
            return;
        }
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        log.debug("Group {}: runs of jobs cannot be recorded", settings.groupId(), cause);
        thread.attempt(() -> report(store.describe(cause)));
        Future<?> unused = thread.schedule(again, backoff.next());
    }

    /** Keeps what was reported of the same cause: the text may be another at each attempt, and for each job. */
    private void report(Problem problem) {
        boolean isKnown = problems.of(Source.RUNS)
                .filter(known -> known.fix().equals(problem.fix()))
                .isPresent();
        if (!problem.passing() || !isKnown) {
            problems.report(Source.RUNS, problem);
        }
    }

    private void checkStore() {
        if (problems.of(Source.RUNS).isPresent()) {
            check.attempt(store::read);
        }
    }

    /** Whether the candidate is the current one of that job, and the job was not removed. */
    boolean isActive(Job job, ActiveJob candidate) {
        return active.get(job.name()) == candidate && jobs.contains(job);
    }

    Optional<Problem> problem() {
        return problems.mostSerious();
    }

    List<NeliSnapshot.Job> snapshot() {
        return jobs.stream()
                .map(job -> Optional.ofNullable(active.get(job.name()))
                        .filter(ActiveJob::isLed)
                        .map(ActiveJob::view)
                        .orElseGet(() -> Snapshots.unread(job, ledSince(job))))
                .toList();
    }

    private Optional<Instant> ledSince(Job job) {
        return gates.apply(job.role()).term().filter(TermLeadership::isValid).map(TermLeadership::since);
    }

    private void stepped() {
        try {
            // Searching the list for each would take long, and the hash code of an application's task may change.
            Set<Job> known = Collections.newSetFromMap(new IdentityHashMap<>());
            known.addAll(jobs);
            active.values().removeIf(each -> each.isGone(known));
            checkClocks();
        } finally {
            synchronized (this) {
                settled = active.values().stream().allMatch(ActiveJob::isSettled);
                notifyAll();
            }
        }
    }

    /** Waits until the records of all that is led now are read. Returns false if the limit passes first. */
    public boolean awaitRead(Duration limit) throws InterruptedException {
        return jobs.isEmpty() || thread.await(() -> {}, limit);
    }

    /**
     * Runs the jobs that are due, and waits until they have ended.
     *
     * @param before called before the rules decide what is due
     * @return whether they have ended within the limit
     */
    public boolean settle(Runnable before, Duration limit) throws InterruptedException {
        Deadline deadline = Deadline.after(limit, clock);
        Runnable due = () -> { // on the thread of the jobs: earlier steps still use the earlier date
            before.run();
            active.values().forEach(ActiveJob::tick);
            stepped();
        };
        if (!thread.await(due, limit)) {
            return false;
        }
        synchronized (this) {
            return deadline.await(this, () -> settled);
        }
    }

    /** Stops recording. Returns soon, even while the servers do not answer. */
    void close() {
        thread.close();
        active.values().forEach(ActiveJob::release); // otherwise the next start would wait for them
        store.close();
    }
}
