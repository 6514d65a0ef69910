package io.neli.internal.member;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

import io.neli.LeaderWork;
import org.jspecify.annotations.Nullable;

/**
 * A piece of work that a {@link WorkGate} counts. It belongs to the thread that began it, or to none once it is
 * detached. Work begun within other work of the same gate is part of it: only the whole is interrupted, limited and
 * measured, unless the part is detached. A part that outlives the whole is interrupted too. Thread-safe. Calls no
 * foreign code while it holds its monitor.
 */
final class RunningWork implements LeaderWork {

    final WorkGate gate;
    private final TermLeadership leadership;
    private final @Nullable RunningWork whole;
    private volatile WorkLimit.@Nullable Watch watch;
    private @Nullable Thread thread = Thread.currentThread();
    private @Nullable Thread runBefore;
    private @Nullable Runnable onFence;
    private boolean fenced;
    private boolean interrupting;
    private boolean interrupted;
    volatile boolean ended;

    /** Whether an error, such as a full stack, has kept it from leaving the gate, although it has ended. */
    volatile boolean leftBehind;

    /**
     * Creates work of the calling thread.
     *
     * @param whole the work that this is part of; null if none
     */
    RunningWork(WorkGate gate, TermLeadership leadership, @Nullable RunningWork whole) {
        this.gate = gate;
        this.leadership = leadership;
        this.whole = whole;
    }

    /** Begins to limit and measure this work by itself. */
    void watch() {
        watch = gate.limit.watchWork();
    }

    /** How long this work has been measured; empty if it is not. */
    Optional<Duration> age() {
        return Optional.ofNullable(watch).map(WorkLimit.Watch::age);
    }

    @Override
    public TermLeadership leadership() {
        return leadership;
    }

    /** Whether a thread does this work: it has not ended and was not detached. */
    synchronized boolean hasThread() {
        return !ended && thread != null;
    }

    /** This work ends only after that run, and {@link #isOfAny} counts it as its work; null once the run has ended. */
    synchronized void endsAfter(@Nullable Thread run) {
        runBefore = run;
    }

    /** Whether it is done by any of these threads, or ends only after the work of one. */
    synchronized boolean isOfAny(Set<Thread> candidates) {
        Thread doing = thread == null ? runBefore : thread;
        return doing != null && candidates.contains(doing);
    }

    /** Where this work runs, for messages. */
    synchronized String where() {
        String role = "work in role '" + leadership.role() + "' ";
        return thread == null ? role + "that was detached" : role + "on thread '" + thread.getName() + "'";
    }

    synchronized boolean isFenced() {
        return fenced;
    }

    boolean hasEnded() {
        return ended;
    }

    /** Whether a fence has interrupted its thread, or is about to. */
    synchronized boolean isInterrupted() {
        return interrupting || interrupted;
    }

    /** Marks this work as fenced, and passes on what to call: the interrupt, or the callback of detached work. */
    synchronized void fence(Consumer<Runnable> interrupts, Consumer<Runnable> callbacks) {
        if (fenced || ended) {
            return;
        }
        fenced = true;
        if (thread != null) {
            interrupts.accept(this::interruptUnlessWithWhole);
        } else if (onFence != null) {
            callbacks.accept(onFence);
        }
    }

    /** Called after the whole was interrupted, unless that had ended or was detached by then. */
    private void interruptUnlessWithWhole() {
        if (whole == null || !whole.hasThread()) {
            interrupt();
        }
    }

    /**
     * Interrupts the thread, unless the work has ended: the thread may then do something else. Does not hold the
     * monitor meanwhile, because an interrupt may block.
     */
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
            target.interrupt();
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
            if (ended || thread != Thread.currentThread() || (whole != null && whole.hasEnded())) {
                throw new IllegalStateException("detach() of work in role '" + leadership.role()
                        + "' must be called once, before close(), by the thread that began the work");
            }
            if (whole != null) {
                watch(); // first, because from now on a fence may end this work
            }
            thread = null;
            onFence = callback;
            late = fenced;
        }
        takeBackInterrupt();
        CurrentWork.tidy();
        WorkLimit.Watch current = watch;
        if (current != null) {
            current.detach("work in role '" + leadership.role() + "', detached by " + Thread.currentThread());
        }
        if (late) {
            gate.call(List.of(callback));
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
        }
        try {
            leave();
        } catch (RuntimeException | Error e) {
            leftBehind = true; // calls nothing, because the stack may be full
            throw e;
        }
    }

    /** Called once it has ended. */
    void leave() {
        takeBackInterrupt();
        CurrentWork.tidy();
        WorkLimit.Watch current = watch;
        if (current != null) {
            current.close();
        }
        gate.leave(this);
    }

    /** Clears the interrupt of this work, after one under way has arrived. Keeps the interrupt of other work. */
    private void takeBackInterrupt() {
        if (takeInterrupt()) {
            CurrentWork.works().forEach(work -> work.keepInterruptOf(this));
            Thread.interrupted(); // cleared before the check, so that a later interrupt is not lost
            if (CurrentWork.isInterrupted()) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A part that outlives the whole stays interrupted. */
    private synchronized void keepInterruptOf(RunningWork other) {
        interrupted |= fenced && whole == other;
    }

    /** Waits for an interrupt under way. Returns whether there was one since the last call. */
    private synchronized boolean takeInterrupt() {
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
        boolean before = interrupted;
        interrupted = false;
        return before;
    }
}
