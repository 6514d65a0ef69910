package io.neli.internal.member;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import io.neli.Job;
import io.neli.LeaderWork;
import io.neli.NeliMetrics.RunKind;
import io.neli.NeliMetrics.RunOutcome;
import io.neli.NeliSnapshot;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.runs.JobTerm;
import io.neli.internal.runs.RunAction;
import io.neli.internal.runs.RunKey;
import io.neli.internal.runs.RunRecord;
import io.neli.internal.shell.Backoff;
import io.neli.internal.shell.Deadline;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One job in one term: carries out the decisions of its {@link JobTerm}. Runs execute on the executor of the job.
 * Everything else belongs to the {@link JobThread}, except {@link #isLed}, {@link #view} and {@link #release}.
 */
final class ActiveJob {

    private static final Logger log = LoggerFactory.getLogger("io.neli");

    /** Limits how late a run begins if the wall clock is set while the thread sleeps. */
    private static final Duration LONGEST_SLEEP = Duration.ofMinutes(1);

    private final JobRunner runner;
    private final Job job;
    private final TermLeadership term;
    private final WorkGate gate;
    private final JobTerm rules;

    /** Delays between attempts to find or begin a run. The end of a run resets them, a written record does not. */
    private final Backoff refusals = new Backoff(Duration.ofMillis(200), Duration.ofMinutes(1));

    /** No run is recorded as begun before its end. */
    private Deadline rest;

    private volatile NeliSnapshot.Job view;

    /** How the job is shown while a run, though recorded as begun, waits for a thread; otherwise null. */
    private final AtomicReference<NeliSnapshot.@Nullable Job> queued = new AtomicReference<>();

    /** Whether a run is due that waits for the end of {@link #rest}. */
    private boolean retries;

    private final AtomicReference<@Nullable RunningWork> held = new AtomicReference<>();
    private @Nullable Future<?> wake;
    private @Nullable Runnable successor;

    ActiveJob(JobRunner runner, Job job, TermLeadership term) {
        this.runner = runner;
        this.job = job;
        this.term = term.of(job.role());
        this.gate = runner.gates.apply(job.role());
        this.rules = new JobTerm(job, runner.settings.name(), term.token());
        this.rest = Deadline.after(Duration.ZERO, runner.clock);
        this.view = Snapshots.unread(job, Optional.empty());
    }

    boolean isLed() {
        return term.isValid();
    }

    /** Whether a run, or the writing of a record, is in progress in that term. */
    boolean isUnderWayIn(TermLeadership candidate) {
        return term.token() == candidate.token() && !rules.isWaiting();
    }

    boolean isSettled() {
        return (rules.isWaiting() && !retries) || (!term.isValid() && !rules.isRunning());
    }

    /** Whether the job was removed and nothing of it is in progress. */
    boolean isGone(Set<Job> known) {
        return rules.isWaiting() && !known.contains(job);
    }

    String name() {
        return job.name();
    }

    Optional<Instant> notBefore() {
        return rules.notBefore();
    }

    NeliSnapshot.Job view() {
        NeliSnapshot.Job due = queued.get();
        return due == null ? view : due;
    }

    /** Sets what to do once nothing of this job is in progress, in place of what was set before. */
    void whenWaiting(Runnable begin) {
        successor = begin;
    }

    void read(Map<RunKey, RunRecord> records) {
        step(now -> rules.read(records, now));
    }

    void runNow() {
        step(rules::runNow);
    }

    void tick() {
        retries = false;
        step(rules::tick);
    }

    /** Takes a decision of the rules. No run begins if the term is over or the job was removed. */
    private void step(Function<Instant, List<RunAction>> decision) {
        if (!term.isValid() || !runner.isActive(job, this)) {
            rules.over();
        }
        try {
            decision.apply(now()).forEach(this::perform);
            view = Snapshots.of(job, rules);
        } catch (Throwable e) { // what an application's schedule throws must not affect other jobs
            log.error("Group {}: a step of job '{}' has failed", runner.settings.groupId(), job.name(), e);
            if (term.isValid()) {
                after(refusals.next(), this::tick);
            }
        }
        if (rules.isWaiting()) {
            release(); // even if the last record could not be written, because the term is over
            Runnable next = successor;
            successor = null;
            if (next != null) {
                next.run();
            }
        }
    }

    private void perform(RunAction action) {
        if (action instanceof RunAction.Write write) {
            if (rules.isBeginning() && !mayBegin()) {
                rules.postpone();
                retries = true;
                after(rest.left(), this::tick);
            } else {
                write(write);
            }
        } else if (action instanceof RunAction.Forget forget) {
            runner.thread.attempt(() -> runner.store.forget(forget.keys())); // what follows does not depend on it
        } else if (action instanceof RunAction.Begin begin) {
            if (term.isValid()) {
                submit(begin);
            } else { // it has ended while the record was written
                runner.thread.post(this::notBegun);
            }
        } else if (action instanceof RunAction.Wake wakeUp) {
            Duration left = Duration.between(now(), wakeUp.at());
            after(left.compareTo(LONGEST_SLEEP) < 0 ? left : LONGEST_SLEEP, this::tick);
        } else if (action instanceof RunAction.Abandoned abandoned) {
            log.warn(
                    "Group {}: the run of job '{}' that was due at {} was begun and is not known to have ended; it"
                            + " is not repeated",
                    runner.settings.groupId(),
                    job.name(),
                    abandoned.dueAt());
            runner.settings.metrics().report(each -> each.runAbandoned(job.name()));
        }
    }

    private boolean mayBegin() {
        if (!rest.left().isZero()) {
            return false;
        }
        if (!hold()) { // the member is about to hand over
            pause();
            return false;
        }
        return true;
    }

    /** Begins a pause, and returns how long it is. */
    private Duration pause() {
        Duration pause = refusals.next();
        rest = Deadline.after(pause, runner.clock);
        return pause;
    }

    /** Schedules the step, and cancels the one scheduled before. */
    private void after(Duration pause, Runnable step) {
        Future<?> next = runner.thread.schedule(step, pause);
        if (wake != null) {
            wake.cancel(false);
        }
        wake = next;
    }

    /**
     * Makes a handover wait, so that the next leader reads a true record: from before a run is recorded as begun until
     * it is recorded as ended, or as not begun. Returns whether a handover of this term waits for {@link #release}.
     */
    private boolean hold() {
        if (held.get() == null) {
            gate.hold(job.role()).ifPresent(held::set);
        }
        RunningWork now = held.get();
        return now != null && now.leadership().token() == term.token();
    }

    /** A run that closes the election must not wait for its own record. */
    private void heldFor(@Nullable Thread run) {
        RunningWork now = held.get();
        if (now != null) {
            now.endsAfter(run);
        }
    }

    void release() {
        LeaderWork ended = held.getAndSet(null);
        if (ended != null) {
            ended.close();
        }
    }

    private void write(RunAction.Write write) {
        try {
            CompletionStage<?> unused = runner.store
                    .write(write.key(), write.record())
                    .whenComplete((result, failure) -> runner.thread.post(() -> written(failure)));
        } catch (Throwable e) { // an error is a failure, too
            runner.thread.post(() -> written(e));
        }
    }

    private void written(@Nullable Throwable failure) {
        if (failure == null) {
            runner.succeeded();
            if (!rules.isBeginning()) {
                release(); // the end of the run is recorded, or there is no run
            }
            step(rules::recorded);
        } else {
            if (rules.isBeginning()) {
                release(); // no run has begun: a handover need not wait for the next attempt
            }
            runner.failed(failure, this::notRecorded);
        }
    }

    private void notRecorded() {
        step(rules::notRecorded);
        if (rules.isWaiting()) {
            runner.check();
        }
    }

    private void submit(RunAction.Begin begin) {
        NeliSnapshot.Job due = view; // another object for each run
        queued.set(due);
        try {
            view = Snapshots.of(job, rules); // the run may begin, and ask for it, before this step ends
            job.executor().execute(() -> {
                if (queued.compareAndSet(due, null)) { // else refused, and kept nevertheless
                    run(begin);
                }
            });
        } catch (Throwable e) { // even a checked exception: otherwise the job would wait for the end of this run
            if (queued.compareAndSet(due, null)) {
                refused(e);
            }
        }
    }

    private void refused(Throwable why) {
        Duration pause = pause();
        log.warn(
                "Group {}: job '{}' cannot run: {}; trying again in {} ms",
                runner.settings.groupId(),
                job.name(),
                why,
                pause.toMillis());
        runner.thread.post(this::notBegun); // at once, because a handover waits for it
    }

    /** If the term is over, a run that waits for a thread does not begin. */
    void takeBack() {
        if (!term.isValid() && queued.getAndSet(null) != null) {
            notBegun();
        }
    }

    private void notBegun() {
        step(now -> rules.notBegun());
    }

    /** Called on a thread of the job's executor. */
    private void run(RunAction.Begin begin) {
        Optional<LeaderWork> begun;
        try {
            begun = runner.isActive(job, this) // what a removed job calls may be gone
                    ? gate.enter(job.role()).filter(this::isOfTerm)
                    : Optional.empty();
        } catch (RuntimeException | Error e) { // otherwise the run would never end
            runner.thread.post(() -> refused(e));
            return;
        }
        if (begun.isEmpty()) {
            runner.thread.post(this::notBegun);
            return;
        }
        MonotonicTime start = runner.clock.time();
        Throwable failure = null;
        heldFor(Thread.currentThread());
        try (LeaderWork work = begun.get()) {
            job.task().run(new Job.Run(begin.dueAt(), begin.kind() == RunKind.REPEATED, work.leadership()));
            if (CurrentWork.isInterrupted()) { // it may have returned because of that
                failure = new InterruptedException("the run returned after a fence had interrupted it");
            }
        } catch (Throwable e) { // any Throwable: otherwise the run would never end
            failure = e;
        } finally {
            heldFor(null);
        }
        Throwable thrown = failure;
        boolean inLease = term.lasts();
        Duration lasted = start.until(runner.clock.time());
        runner.thread.post(() -> ended(begin, thrown, inLease, lasted));
    }

    private boolean isOfTerm(LeaderWork work) {
        boolean same = work.leadership().token() == term.token();
        if (!same) {
            work.close();
        }
        return same;
    }

    private void ended(RunAction.Begin begin, @Nullable Throwable failure, boolean inLease, Duration lasted) {
        refusals.reset();
        RunOutcome outcome = failure == null ? RunOutcome.SUCCEEDED : rules.failed(inLease, term.isValid());
        if (outcome == RunOutcome.INTERRUPTED) {
            log.warn(
                    "Group {}: job '{}', due at {}, did not end within its lease, and counts as interrupted",
                    runner.settings.groupId(),
                    job.name(),
                    begin.dueAt(),
                    failure);
        } else if (failure != null) {
            log.error(
                    "Group {}: job '{}', due at {}, has failed",
                    runner.settings.groupId(),
                    job.name(),
                    begin.dueAt(),
                    failure);
        }
        runner.settings.metrics().report(each -> each.runEnded(job.name(), outcome, begin.kind(), lasted));
        step(now -> rules.ended(now, outcome));
    }

    private Instant now() {
        return runner.date.instant();
    }
}
