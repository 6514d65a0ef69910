package io.neli.internal.member;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.neli.Job;
import io.neli.LeaderWork;
import io.neli.NeliMetrics.RunKind;
import io.neli.NeliMetrics.RunOutcome;
import io.neli.NeliSnapshot;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.runs.RunAction;
import io.neli.internal.runs.RunKey;
import io.neli.internal.runs.RunRecord;
import io.neli.internal.runs.RunStore;
import io.neli.internal.shell.Backoff;
import io.neli.internal.shell.Deadline;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.Problems;
import io.neli.internal.shell.Problems.Source;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the jobs of one start of a member while it leads: reads and writes their records and waits for their times on a thread of its
 * own, which exists only if there are jobs. The runs themselves are on the executors of the jobs. Thread-safe.
 */
final class JobRunner {

    private static final Logger log = LoggerFactory.getLogger("io.neli");

    /** The wall clock may be set while a thread sleeps. */
    private static final Duration LONGEST_SLEEP = Duration.ofMinutes(1);

    /** By how much a clock may be behind that of the member which recorded a run, before that is worth a warning. */
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

    private final MemberSettings settings;
    private final List<Job> jobs;
    private final RunStore store;
    private final Function<String, Optional<LeaderWork>> hold;
    private final Function<String, Optional<LeaderWork>> beginWork;
    private final MemberClock clock;
    private final InstantSource date;
    private final Problems problems;
    private final Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));
    private final JobThread thread;
    private final Map<Integer, TermLeadership> terms = new ConcurrentHashMap<>();
    private final Map<String, ActiveJob> active = new ConcurrentHashMap<>();
    private boolean settled;

    /**
     * A runner without a thread yet.
     *
     * @param jobs those of the member, which may become more or fewer
     * @param hold makes a handover of a role wait, if this member leads it
     * @param beginWork begins work in a role, if this member leads it
     * @param date tells when jobs are due
     */
    JobRunner(
            MemberSettings settings,
            List<Job> jobs,
            RunStore store,
            Function<String, Optional<LeaderWork>> hold,
            Function<String, Optional<LeaderWork>> beginWork,
            MemberClock clock,
            InstantSource date) {
        this.settings = settings;
        this.jobs = jobs;
        this.store = store;
        this.hold = hold;
        this.beginWork = beginWork;
        this.clock = clock;
        this.date = date;
        this.problems = new Problems(settings.groupId());
        this.thread = new JobThread(settings.threadName("jobs"), this::stepped);
    }

    /** Finds out early whether runs can be recorded. */
    void start() {
        if (!jobs.isEmpty() && settings.candidate()) {
            thread.post(this::prepare);
        }
    }

    private void prepare() {
        tryIt(this::prepare, () -> {
            store.prepare();
            return null;
        });
    }

    /** Work may begin in this term. */
    void begin(int partition, TermLeadership term) {
        terms.put(partition, term);
        if (!jobsOf(partition).isEmpty()) {
            thread.post(() -> read(partition, term, jobsOf(partition)));
        }
    }

    /** A job is new. */
    void added(Job job) {
        int partition = settings.roles().partitionOf(job.role());
        TermLeadership term = terms.get(partition);
        if (term == null) {
            start();
        } else {
            thread.post(() -> read(partition, term, List.of(job)));
        }
    }

    private List<Job> jobsOf(int partition) {
        return jobs.stream()
                .filter(job -> settings.roles().partitionOf(job.role()) == partition)
                .toList();
    }

    /** Runs a job that may not be due, unless a run is going on. */
    void runNow(Job job) {
        thread.post(() -> {
            ActiveJob now = active.get(job.name());
            if (now == null || !now.term.isValid()) {
                log.warn(
                        "Group {}: job '{}' cannot be run, because its records were not read yet",
                        settings.groupId(),
                        job.name());
            } else {
                perform(now, now.rules.runNow(date.instant()));
            }
        });
    }

    private void read(int partition, TermLeadership term, List<Job> wanted) {
        if (!term.isValid() || terms.get(partition) != term) {
            return;
        }
        Optional<Map<RunKey, RunRecord>> records = tryIt(() -> read(partition, term, wanted), store::read);
        records.ifPresent(all -> {
            for (Job job : wanted) {
                ActiveJob former = active.get(job.name());
                if (former != null && former.term.token() == term.token() && !former.rules.isWaiting()) {
                    // It was removed and added again: its run may still go on.
                    former.whenWaiting(() -> read(partition, term, List.of(job)));
                    continue;
                }
                ActiveJob begun = new ActiveJob(job, term, settings.name());
                active.put(job.name(), begun);
                Map<RunKey, RunRecord> own = all.entrySet().stream()
                        .filter(entry -> entry.getKey().job().equals(job.name()))
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
                perform(begun, begun.rules.read(own, date.instant()));
            }
        });
    }

    /** Any member's clock may be set at any time. */
    private void checkClocks() {
        Instant latest = date.instant().plus(CLOCKS_DIFFER);
        active.values().stream()
                .filter(on -> on.term.isValid())
                .flatMap(on -> on.rules.last().stream())
                .filter(last -> last.due().isAfter(latest))
                .min(Comparator.comparing(RunRecord::job))
                .ifPresentOrElse(
                        ahead -> problems.report(
                                Source.JOB,
                                new Problem(
                                        "job '" + ahead.job() + "': a run is recorded for " + ahead.due()
                                                + ", which is more than a minute ahead of this member's clock, so the job"
                                                + " does not run before that time",
                                        "set the clocks of all members to the right time; if they are, delete that"
                                                + " record (docs/schedules.md)",
                                        true)),
                        () -> problems.clear(Source.JOB));
    }

    /** Empty if it has failed; it is tried again then. */
    private <T> Optional<T> tryIt(Runnable again, Attempt<T> attempt) {
        try {
            T result = attempt.get();
            succeeded();
            return Optional.ofNullable(result);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it closes
        } catch (RuntimeException e) {
            failed(e, again);
        }
        return Optional.empty();
    }

    private interface Attempt<T> {
        @Nullable
        T get() throws InterruptedException;
    }

    private void succeeded() {
        problems.clear(Source.RUNS);
        backoff.reset();
    }

    private void failed(Throwable failure, Runnable again) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (thread.isClosed()) {
            return;
        }
        log.debug("Group {}: runs of jobs cannot be recorded", settings.groupId(), cause);
        problems.report(Source.RUNS, store.describe(cause));
        Future<?> unused = thread.schedule(again, backoff.next(false));
    }

    private void perform(ActiveJob on, List<RunAction> actions) {
        for (RunAction action : actions) {
            if (action instanceof RunAction.Write write) {
                if (on.rules.isBeginning() && !on.hold(hold)) {
                    cannotBegin(on);
                    return;
                }
                write(on, write);
            } else if (action instanceof RunAction.Forget forget) {
                store.forget(forget.keys());
            } else if (action instanceof RunAction.Begin begin) {
                handOver(on, begin);
            } else if (action instanceof RunAction.Wake wake) {
                Duration left = Duration.between(date.instant(), wake.at());
                on.waitFor(thread.schedule(() -> tick(on), left.compareTo(LONGEST_SLEEP) < 0 ? left : LONGEST_SLEEP));
            } else if (action instanceof RunAction.Abandoned abandoned) {
                log.warn(
                        "Group {}: the run of job '{}' that was due at {} was begun and is not known to have ended; it is not repeated",
                        settings.groupId(),
                        on.job.name(),
                        abandoned.dueAt());
                settings.metrics().runAbandoned(on.job.name());
            }
        }
        on.view = Snapshots.of(on.job, on.rules);
        checkClocks();
        if (on.rules.isWaiting()) {
            on.becomeWaiting();
        }
    }

    private void tick(ActiveJob on) {
        endIfOver(on);
        perform(on, on.rules.tick(date.instant()));
    }

    /** Before each decision. A job that was removed does not begin either. */
    private void endIfOver(ActiveJob on) {
        if (!on.term.isValid() || active.get(on.job.name()) != on || !jobs.contains(on.job)) {
            on.rules.over();
        }
    }

    private void write(ActiveJob on, RunAction.Write write) {
        store.write(write.key(), write.record())
                .whenComplete((result, failure) -> thread.post(() -> written(on, failure)));
    }

    private void written(ActiveJob on, @Nullable Throwable failure) {
        endIfOver(on);
        if (failure == null) {
            succeeded();
            if (!on.rules.isBeginning()) {
                on.release(); // the end of its run is recorded, or it has none
            }
            perform(on, on.rules.recorded(date.instant()));
        } else {
            if (on.rules.isBeginning()) {
                on.release(); // a handover need not wait until it can be recorded
            }
            failed(failure, () -> {
                endIfOver(on);
                perform(on, on.rules.notRecorded(date.instant()));
            });
        }
    }

    private void handOver(ActiveJob on, RunAction.Begin begin) {
        try {
            on.job.executor().execute(() -> run(on, begin));
        } catch (RuntimeException | Error e) { // or the job would wait for its end
            Duration pause = on.refusals.next(false);
            log.warn(
                    "Group {}: job '{}' cannot run: {}; trying again in {} ms",
                    settings.groupId(),
                    on.job.name(),
                    e,
                    pause.toMillis());
            on.waitFor(thread.schedule(() -> notBegun(on), pause));
        }
    }

    /** The member is about to hand over: nothing is recorded. */
    private void cannotBegin(ActiveJob on) {
        on.rules.notEnded();
        on.waitFor(thread.schedule(() -> tick(on), on.refusals.next(false)));
    }

    private void notBegun(ActiveJob on) {
        endIfOver(on);
        perform(on, on.rules.notBegun());
    }

    /** On a thread of the job's executor. */
    private void run(ActiveJob on, RunAction.Begin begin) {
        Optional<LeaderWork> begun = beginWork.apply(on.job.role()).filter(work -> isOf(work, on.term));
        if (begun.isEmpty()) {
            thread.post(() -> notBegun(on));
            return;
        }
        MonotonicTime start = clock.time();
        Throwable failure = null;
        boolean lasts;
        try (LeaderWork work = begun.get()) {
            on.job.task().run(new Job.Run(begin.dueAt(), begin.repeated(), work.leadership()));
        } catch (Exception | Error e) {
            failure = e;
        } finally {
            lasts = on.term.lasts();
        }
        RunOutcome outcome = outcome(failure, lasts);
        Throwable thrown = failure;
        Duration lasted = start.until(clock.time());
        thread.post(() -> ended(on, begin, outcome, thrown, lasted));
    }

    private static boolean isOf(LeaderWork work, TermLeadership term) {
        if (work.leadership().token() == term.token()) {
            return true;
        }
        work.close();
        return false;
    }

    private void ended(
            ActiveJob on, RunAction.Begin begin, RunOutcome outcome, @Nullable Throwable failure, Duration lasted) {
        on.refusals.reset();
        if (outcome == RunOutcome.INTERRUPTED) {
            log.warn(
                    "Group {}: job '{}', due at {}, was interrupted as its term is over",
                    settings.groupId(),
                    on.job.name(),
                    begin.dueAt());
        } else if (failure != null) {
            log.error(
                    "Group {}: job '{}', due at {}, has failed",
                    settings.groupId(),
                    on.job.name(),
                    begin.dueAt(),
                    failure);
        }
        settings.metrics().runEnded(on.job.name(), outcome, kind(begin), lasted);
        if (outcome == RunOutcome.INTERRUPTED) {
            on.rules.notEnded();
            on.release();
        } else {
            perform(on, on.rules.ended(date.instant(), outcome == RunOutcome.SUCCEEDED));
        }
    }

    /** What fails after its lease may have failed because of that: it was interrupted. */
    private static RunOutcome outcome(@Nullable Throwable failure, boolean lasts) {
        if (failure == null) {
            return RunOutcome.SUCCEEDED;
        }
        return lasts ? RunOutcome.FAILED : RunOutcome.INTERRUPTED;
    }

    private static RunKind kind(RunAction.Begin begin) {
        if (begin.repeated()) {
            return RunKind.REPEATED;
        }
        return begin.madeUp() ? RunKind.MADE_UP : RunKind.ON_TIME;
    }

    Optional<Problem> problem() {
        return problems.mostSerious();
    }

    /** What is known of each job. */
    List<NeliSnapshot.Job> snapshot() {
        return jobs.stream()
                .map(job -> Optional.ofNullable(active.get(job.name()))
                        .filter(known -> known.term.isValid())
                        .map(known -> known.view)
                        .orElseGet(() -> Snapshots.unread(job, ledSince(job))))
                .toList();
    }

    private Optional<Instant> ledSince(Job job) {
        return Optional.ofNullable(terms.get(settings.roles().partitionOf(job.role())))
                .filter(TermLeadership::isValid)
                .map(TermLeadership::since);
    }

    private synchronized void stepped() {
        settled = active.values().stream()
                .allMatch(on -> on.rules.isWaiting() || (!on.term.isValid() && !on.rules.isRunning()));
        notifyAll();
    }

    /** Waits until the records are read of all that is led now. */
    boolean awaitRead(Duration limit) throws InterruptedException {
        return jobs.isEmpty() || thread.await(() -> {}, limit);
    }

    /** See {@link Member#settleJobs}. */
    boolean settle(Runnable before, Duration limit) throws InterruptedException {
        Deadline deadline = Deadline.after(limit, clock);
        Runnable due = () -> { // what was begun before goes by the date before
            before.run();
            active.values().forEach(this::tick);
            stepped();
        };
        if (!thread.await(due, limit)) {
            return false;
        }
        synchronized (this) {
            return deadline.await(this, () -> settled);
        }
    }

    /** Nothing is recorded any more. Returns soon, also while the servers do not answer. */
    void close() {
        thread.close();
        active.values().forEach(ActiveJob::release); // or the next start would wait for them
        store.close();
    }
}
