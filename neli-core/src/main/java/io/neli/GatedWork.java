package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Work that a {@link WorkGate} counts: of the thread that began it, and of none once it is detached. Thread-safe; calls
 * nobody's code while it holds its monitor.
 */
final class GatedWork implements LeaderWork {

    private final TermLeadership leadership;
    private final Interrupts interrupts;
    private final Consumer<GatedWork> whenEnded;
    private WorkLimit.Watch watch = WorkLimit.Watch.NONE;
    private CurrentTerm.@Nullable Place place;
    private @Nullable Thread thread = Thread.currentThread();
    private @Nullable Runnable onFence;
    private boolean fenced;
    private boolean interrupted;
    private boolean ended;
    private volatile @Nullable Long letInNanos;

    /** Work of the calling thread. */
    GatedWork(TermLeadership leadership, Interrupts interrupts, Consumer<GatedWork> whenEnded) {
        this.leadership = leadership;
        this.interrupts = interrupts;
        this.whenEnded = whenEnded;
    }

    /** From now on the thread is seen to be in it, and it must not last too long. */
    void begin(WorkLimit limit) {
        watch = limit.watchWork();
        place = CurrentTerm.enter(leadership);
    }

    /** It is not turned away after all. */
    void letIn() {
        letInNanos = System.nanoTime();
    }

    /** Since it was let in; empty if it was turned away. */
    Optional<Duration> age() {
        return Optional.ofNullable(letInNanos).map(since -> Duration.ofNanos(System.nanoTime() - since));
    }

    @Override
    public TermLeadership leadership() {
        return leadership;
    }

    synchronized boolean isOf(Thread candidate) {
        return thread == candidate;
    }

    synchronized boolean isFenced() {
        return fenced;
    }

    /**
     * Interrupts the thread, or returns what has to be called instead. Never interrupts after the end: the thread may be at
     * something else by then.
     */
    synchronized Optional<Runnable> fence() {
        if (fenced || ended) {
            return Optional.empty();
        }
        fenced = true;
        if (thread != null) {
            interrupted = interrupts.interrupt(thread);
        }
        return Optional.ofNullable(onFence);
    }

    @Override
    public void detach(Runnable callback) {
        boolean late;
        synchronized (this) {
            if (ended || thread != Thread.currentThread()) {
                throw cannotDetach(leadership);
            }
            takeBackInterrupt();
            late = fenced;
            thread = null;
            onFence = callback;
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

    private void takeBackInterrupt() {
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
