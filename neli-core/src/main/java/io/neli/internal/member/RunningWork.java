package io.neli.internal.member;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

import io.neli.LeaderWork;
import io.neli.Leadership;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.MemberClock;
import org.jspecify.annotations.Nullable;

/**
 * Work that a {@link WorkGate} counts: of the thread that began it, and of none once it is detached. Thread-safe; calls no
 * foreign code while it holds its monitor.
 */
final class RunningWork implements LeaderWork {

    private final MemberClock clock;
    private final TermLeadership leadership;
    private final Interrupts interrupts;
    private final Consumer<RunningWork> whenEnded;
    private WorkLimit.Watch watch = WorkLimit.Watch.NONE;
    private CurrentTerm.@Nullable Place place;
    private @Nullable Thread thread = Thread.currentThread();
    private @Nullable Runnable onFence;
    private boolean fenced;
    private boolean interrupting;
    private boolean interrupted;
    private boolean ended;
    private volatile @Nullable MonotonicTime begunAt;

    /** Work of the calling thread. */
    RunningWork(MemberClock clock, TermLeadership leadership, Interrupts interrupts, Consumer<RunningWork> whenEnded) {
        this.clock = clock;
        this.leadership = leadership;
        this.interrupts = interrupts;
        this.whenEnded = whenEnded;
    }

    /** From now on the thread is known to do it, and its limit runs. */
    void begin(WorkLimit limit) {
        watch = limit.watchWork();
        place = CurrentTerm.enter(leadership);
    }

    /** It was admitted. */
    void admitted() {
        begunAt = clock.time();
    }

    /** Since it was admitted; empty if it was not. */
    Optional<Duration> age() {
        return Optional.ofNullable(begunAt).map(since -> since.until(clock.time()));
    }

    @Override
    public TermLeadership leadership() {
        return leadership;
    }

    synchronized boolean isOf(Thread candidate) {
        return thread == candidate;
    }

    synchronized boolean isOfAny(Set<Thread> candidates) {
        return thread != null && candidates.contains(thread);
    }

    /** Where it runs, for people. */
    synchronized String where() {
        String role = "work in role '" + leadership.role() + "' ";
        return thread == null ? role + "that was detached" : role + "on thread '" + thread.getName() + "'";
    }

    synchronized boolean isFenced() {
        return fenced;
    }

    /** Returns what has to be called: it interrupts the thread, or is what detached work has asked for. */
    synchronized Optional<Runnable> fence() {
        if (fenced || ended) {
            return Optional.empty();
        }
        fenced = true;
        return Optional.of(onFence == null ? this::interrupt : onFence);
    }

    /** Never after the end: the thread may do something else by then. Holds no monitor meanwhile, because it may block. */
    private void interrupt() {
        Thread target;
        synchronized (this) {
            target = thread;
            if (ended || target == null) {
                return;
            }
            interrupting = true;
        }
        try {
            interrupts.interrupt(target);
        } finally {
            synchronized (this) {
                interrupting = false;
                interrupted = true;
                notifyAll();
            }
        }
    }

    @Override
    public void detach(Runnable callback) {
        boolean late;
        synchronized (this) {
            if (ended || thread != Thread.currentThread()) {
                throw cannotDetach(leadership);
            }
            thread = null;
            onFence = callback;
            takeBackInterrupt();
            late = fenced;
        }
        leavePlace();
        watch.detach("work in role '" + leadership.role() + "', detached by " + Thread.currentThread());
        if (late) {
            interrupts.call(List.of(callback));
        }
    }

    static IllegalStateException cannotDetach(Leadership leadership) {
        return new IllegalStateException("detach() of work in role '" + leadership.role()
                + "' must be called once, before close(), by the thread that began the work");
    }

    @Override
    public void close() {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            takeBackInterrupt();
        }
        leavePlace();
        watch.close();
        whenEnded.accept(this);
    }

    /** Waits for an interrupt that has begun. */
    private synchronized void takeBackInterrupt() {
        boolean meanwhile = false;
        while (interrupting) {
            try {
                wait();
            } catch (InterruptedException e) {
                meanwhile = true; // by that interrupt, or another
            }
        }
        if (meanwhile) {
            Thread.currentThread().interrupt();
        }
        if (interrupted) {
            interrupted = false;
            interrupts.takeBack();
        }
    }

    private void leavePlace() {
        if (place != null) {
            place.leave();
        }
    }
}
