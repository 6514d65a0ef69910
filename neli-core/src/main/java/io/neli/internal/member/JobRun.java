package io.neli.internal.member;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import io.neli.Job;
import io.neli.LeaderWork;
import io.neli.NeliMetrics.RunKind;
import io.neli.NeliSnapshot;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.runs.RunAction;
import org.jspecify.annotations.Nullable;

/** One run of a job, on the job's executor. Reports its outcome to its {@link ActiveJob}, on the {@link JobThread}. */
final class JobRun implements Runnable {

    private final ActiveJob active;
    private final RunAction.Begin begin;
    private final NeliSnapshot.Job due;
    private final AtomicBoolean taken = new AtomicBoolean();

    /** @param due how the job is shown while this run, though recorded as begun, waits for a thread */
    JobRun(ActiveJob active, RunAction.Begin begin, NeliSnapshot.Job due) {
        this.active = active;
        this.begin = begin;
        this.due = due;
    }

    /** How the job is shown; empty unless this run waits for a thread. */
    Optional<NeliSnapshot.Job> queued() {
        return taken.get() ? Optional.empty() : Optional.of(due);
    }

    /** Ends the wait for a thread: the caller runs it, or nobody does. Returns false if the wait is over already. */
    boolean take() {
        return !taken.getAndSet(true);
    }

    @Override
    public void run() {
        if (!take()) { // the executor has refused it, and kept it nevertheless, or it was taken back
            return;
        }
        Optional<LeaderWork> begun;
        try {
            begun = active.isActive() // what a removed job calls may be gone
                    ? active.gate.enter(active.job.role()).filter(this::keeps)
                    : Optional.empty();
        } catch (RuntimeException | Error e) { // otherwise the run would never end
            post(() -> active.refused(e));
            return;
        }
        begun.ifPresentOrElse(this::execute, () -> post(active::notBegun));
    }

    /** Returns false for work of a later term, which it closes. */
    private boolean keeps(LeaderWork work) {
        if (work.leadership().token() == active.term.token()) {
            return true;
        }
        work.close();
        return false;
    }

    private void execute(LeaderWork begun) {
        MonotonicTime start = active.runner.clock.time();
        Throwable failure = null;
        active.heldFor(Thread.currentThread());
        try (LeaderWork work = begun) {
            active.job.task().run(new Job.Run(begin.dueAt(), begin.kind() == RunKind.REPEATED, work.leadership()));
            if (CurrentWork.isInterrupted()) { // it may have returned because of that
                failure = new InterruptedException("the run returned after a fence had interrupted it");
            }
        } catch (Throwable e) { // any Throwable: otherwise the run would never end
            failure = e;
        } finally {
            active.heldFor(null);
        }
        @Nullable Throwable thrown = failure;
        boolean inLease = active.term.lasts();
        Duration lasted = start.until(active.runner.clock.time());
        post(() -> active.ended(begin, thrown, inLease, lasted));
    }

    private void post(Runnable step) {
        active.runner.thread.post(step);
    }
}
