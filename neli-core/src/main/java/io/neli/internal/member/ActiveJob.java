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
import io.neli.NeliMetrics.RunOutcome;
import io.neli.NeliSnapshot;
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
 * One job in one term: carries out the decisions of its {@link JobTerm}. Belongs to the {@link JobThread}, except
 * {@link #isLed}, {@link #isActive}, {@link #view}, {@link #heldFor} and {@link #release}.
 */
final class ActiveJob {

    private static final Logger log = LoggerFactory.getLogger("io.neli");

    /** Limits how late a run begins if the wall clock is set while the thread sleeps. */
    private static final Duration LONGEST_SLEEP = Duration.ofMinutes(1);

    final JobRunner runner;
    final Job job;
    final TermLeadership term;
    final WorkGate gate;
    private final JobTerm rules;

    /** The pauses between attempts to begin a run. The end of a run resets them, a written record does not. */
    private final Backoff pauses = new Backoff(Duration.ofMillis(200), Duration.ofMinutes(1));

    /** Before its end, no run is recorded as begun. */
    private Deadline pause;

    private volatile NeliSnapshot.Job view;

    /** The latest run. */
    private volatile @Nullable JobRun run;

    /** Whether a run is due that waits for the end of the pause. */
    private boolean waitsForPause;

    private final AtomicReference<@Nullable RunningWork> held = new AtomicReference<>();
    private @Nullable Future<?> wake;
    private @Nullable Runnable successor;

    ActiveJob(JobRunner runner, Job job, TermLeadership term) {
        this.runner = runner;
        this.job = job;
        this.term = term.of(job.role());
        this.gate = runner.gates.apply(job.role());
        this.rules = new JobTerm(job, runner.settings.name(), term.token());
        this.pause = Deadline.after(Duration.ZERO, runner.clock);
        this.view = Snapshots.unread(job, Optional.empty());
    }

    boolean isLed() {
        return term.isValid();
    }

    /** Whether the job was neither removed nor replaced, and this is its latest term. */
    boolean isActive() {
        return runner.isActive(job, this);
    }

    /** Whether a run, or the writing of a record, is in progress in that term. */
    boolean isUnderWayIn(TermLeadership candidate) {
        return term.token() == candidate.token() && !rules.isWaiting();
    }

    boolean isSettled() {
        return (rules.isWaiting() && !waitsForPause) || (!term.isValid() && !rules.isRunning());
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
        return Optional.ofNullable(run).flatMap(JobRun::queued).orElse(view);
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
        waitsForPause = false;
        step(rules::tick);
    }

    /** Takes a decision of the rules. No run begins if the term is over or the job was removed. */
    private void step(Function<Instant, List<RunAction>> decision) {
        if (!term.isValid() || !isActive()) {
            rules.over();
        }
        try {
            decision.apply(now()).forEach(this::perform);
            view = Snapshots.of(job, rules);
        } catch (Throwable e) { // what an application's schedule throws must not affect other jobs
            log.error("Group {}: a step of job '{}' has failed", runner.settings.groupId(), job.name(), e);
            if (term.isValid()) {
                after(pauses.next(), this::tick);
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
                waitsForPause = true;
                after(pause.left(), this::tick);
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
            abandoned(abandoned.dueAt());
        }
    }

    private void abandoned(Instant dueAt) {
        log.warn(
                "Group {}: the run of job '{}' that was due at {} was recorded as begun and is not known to have"
                        + " ended; it is not repeated",
                runner.settings.groupId(),
                job.name(),
                dueAt);
        runner.settings.metrics().report(each -> each.runAbandoned(job.name()));
    }

    private boolean mayBegin() {
        if (!pause.left().isZero()) {
            return false;
        }
        if (!hold()) { // the member is about to hand over
            beginPause();
            return false;
        }
        return true;
    }

    /** Begins a pause, and returns how long it is. */
    private Duration beginPause() {
        Duration next = pauses.next();
        pause = Deadline.after(next, runner.clock);
        return next;
    }

    /** Schedules the step, and cancels the one scheduled before. */
    private void after(Duration delay, Runnable step) {
        Future<?> next = runner.thread.schedule(step, delay);
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
    void heldFor(@Nullable Thread run) {
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
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt(); // by the close: what else this step writes must not wait either
            }
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
            runner.check.begin();
        }
    }

    private void submit(RunAction.Begin begin) {
        JobRun next = new JobRun(this, begin, view);
        run = next;
        try {
            view = Snapshots.of(job, rules); // the run may begin, and ask for it, before this step ends
            job.executor().execute(next);
        } catch (Throwable e) { // even a checked exception: otherwise the job would wait for the end of this run
            if (next.take()) {
                refused(e);
            }
        }
    }

    void refused(Throwable why) {
        Duration next = beginPause();
        log.warn(
                "Group {}: job '{}' cannot run: {}; trying again in {} ms",
                runner.settings.groupId(),
                job.name(),
                why,
                next.toMillis());
        runner.thread.post(this::notBegun); // at once, because a handover waits for it
    }

    /** If the term is over, a run that waits for a thread does not begin. */
    void takeBack() {
        JobRun last = run;
        if (!term.isValid() && last != null && last.take()) {
            notBegun();
        }
    }

    void notBegun() {
        step(now -> rules.notBegun());
    }

    void ended(RunAction.Begin begin, @Nullable Throwable failure, boolean inLease, Duration lasted) {
        pauses.reset();
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
