package io.neli.internal.member;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;

import io.neli.LeaderWork;
import io.neli.NeliMetrics;
import io.neli.internal.shell.Deadline;
import io.neli.internal.shell.MetricsReporter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits work on one partition while a term is led and its listeners have prepared, and counts running work.
 * Thread-safe. Calls no foreign code while it holds its monitor.
 */
final class WorkGate {

    private static final Logger log = LoggerFactory.getLogger(WorkGate.class);

    private final Executor fences;
    private final DrainReport drained;
    final WorkLimit limit;
    private final MetricsReporter metrics;
    private final Set<RunningWork> entered = new LinkedHashSet<>(); // a fence interrupts a whole before its parts
    private final Map<Long, Ending> ending = new HashMap<>();
    private @Nullable TermLeadership term;
    private boolean open;
    private boolean closed;

    @FunctionalInterface
    interface DrainReport {

        /**
         * All work and listeners of a revoked or fenced term have ended.
         *
         * @param fenced whether the gate had been notified of a fence; if not, a later fence is reported too
         */
        void drained(long token, boolean fenced);
    }

    /** A term that was revoked, fenced, or first revoked and then fenced. Its end waits for listeners as for work. */
    private static final class Ending {
        int roundsOfListeners;
        boolean fenced;
    }

    /**
     * @param fences interrupts work and calls the callbacks of detached work. May block: an interrupt closes a channel
     *     that the thread waits for
     * @param metrics reports the outcome of work
     */
    WorkGate(Executor fences, DrainReport drained, WorkLimit limit, MetricsReporter metrics) {
        this.fences = fences;
        this.drained = drained;
        this.limit = limit;
        this.metrics = metrics;
    }

    /** Begins a term. Work has to wait for {@link #open}. */
    synchronized void acquired(TermLeadership leadership) {
        term = leadership;
        open = false;
    }

    /** Admits work, because the listeners have prepared. Has no effect if the term has ended meanwhile. */
    synchronized void open(TermLeadership leadership) {
        if (leadership.equals(term) && !closed) {
            open = true;
            notifyAll();
        }
    }

    /** Stops admitting work. The caller must call {@link #listenersDone} later. */
    synchronized void revoked(long token) {
        end(token);
    }

    /** Ends the term and interrupts its work. The caller must call {@link #listenersDone} later. */
    void fenced(long token) {
        List<Runnable> interrupts = new ArrayList<>();
        List<Runnable> callbacks = new ArrayList<>();
        synchronized (this) {
            end(token).fenced = true;
            running(token).forEach(work -> work.fence(interrupts::add, callbacks::add));
        }
        interrupts.addAll(callbacks); // last, because they may block
        call(interrupts);
    }

    void call(List<Runnable> callbacks) {
        if (!callbacks.isEmpty()) {
            try {
                fences.execute(() -> callbacks.forEach(WorkGate::call));
            } catch (Throwable e) { // such as a lack of threads: the listeners must still be notified
                log.error("Work of a fenced term could not be interrupted", e);
            }
        }
    }

    private static void call(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable e) { // the other callbacks must still be called
            log.error("The callback of a fence has failed: {}", callback, e);
        }
    }

    private Ending end(long token) {
        term = null;
        open = false;
        entered.removeIf(work -> work.leftBehind);
        Ending ended = ending.computeIfAbsent(token, none -> new Ending());
        ended.roundsOfListeners++;
        notifyAll();
        return ended;
    }

    /** Stops admitting work because the member closes, even before the term is revoked. */
    synchronized void close() {
        open = false;
        closed = true;
    }

    /** Called when the listeners have returned from that term's end; a later term may already be revoked. */
    void listenersDone(long token) {
        synchronized (this) {
            Ending ended = ending.get(token);
            if (ended != null) {
                ended.roundsOfListeners--;
            }
        }
        reportEnded();
    }

    /** The term in which work may begin; empty if the gate is closed. The lease may be over. */
    synchronized Optional<TermLeadership> term() {
        return open ? Optional.ofNullable(term) : Optional.empty();
    }

    /**
     * Begins work for a role, if the gate is open and the term lasts. Within work in progress, begins a part of it,
     * even during a handover, which waits for the whole.
     */
    Optional<LeaderWork> enter(String role) {
        RunningWork whole = CurrentWork.of(this).orElse(null);
        return admit(role, whole, work -> {
            CurrentWork.begin(work);
            if (whole == null) {
                work.watch();
            }
            return work;
        });
    }

    /**
     * Makes a handover wait for something other than work: it is not limited, interrupted or measured. Empty if no work
     * may begin. A fence ends it, unless interrupts are off.
     */
    Optional<RunningWork> hold(String role) {
        return admit(role, null, hold -> {
            hold.detach(hold::close);
            return hold;
        });
    }

    private <T> Optional<T> admit(String role, @Nullable RunningWork whole, Function<RunningWork, T> begin) {
        RunningWork work = null;
        try {
            synchronized (this) {
                TermLeadership admitting = admitting(whole);
                if (admitting != null) {
                    work = new RunningWork(this, admitting.of(role), whole);
                    entered.add(work);
                }
            }
            if (work == null) {
                reportEnded(); // in case an error has kept the last work from doing so
                return Optional.empty();
            }
            // Checked after counting: if the lease ends later, the work is counted and can be interrupted. After a
            // pause, the lease may be over before the fence comes.
            TermLeadership leadership = work.leadership();
            if (whole == null ? leadership.isValid() : leadership.lasts()) {
                return Optional.of(begin.apply(work));
            }
        } catch (RuntimeException | Error e) { // otherwise the term would never end
            if (work != null) {
                work.ended = true; // without a call, because the stack may be full
                work.leftBehind = true;
                work.leave();
            }
            throw e;
        }
        work.close();
        return Optional.empty();
    }

    /** The term of work that may begin now, as a part of the whole if there is one; null if none may. */
    private @Nullable TermLeadership admitting(@Nullable RunningWork whole) {
        if (whole == null) {
            return open ? term : null;
        }
        return whole.isFenced() || whole.hasEnded() ? null : whole.leadership();
    }

    /** Waits until work may begin or {@code noMore} is true; {@link #wakeWaiting} makes it check again. */
    synchronized void awaitOpen(BooleanSupplier noMore) throws InterruptedException {
        while (!open && !noMore.getAsBoolean()) {
            wait();
        }
    }

    /** Waits until no work runs. Returns false if the deadline passes first. */
    synchronized boolean awaitIdle(Deadline deadline) throws InterruptedException {
        return deadline.await(this, () -> running().findAny().isEmpty());
    }

    /**
     * Waits until the term is revoked and only these threads do work. Returns false if the deadline passes first.
     *
     * @param forListeners whether to wait for the listeners too
     */
    synchronized boolean awaitOthers(Set<Thread> callers, boolean forListeners, Deadline deadline)
            throws InterruptedException {
        return deadline.await(
                this,
                () -> term == null
                        && running().allMatch(work -> work.isOfAny(callers))
                        && (!forListeners || ending.values().stream().allMatch(ended -> ended.roundsOfListeners == 0)));
    }

    /** Where work runs now, for messages. */
    synchronized List<String> whereWorkRuns() {
        return running().map(RunningWork::where).distinct().sorted().toList();
    }

    synchronized void wakeWaiting() {
        notifyAll();
    }

    /** Whether the calling thread does work that this gate counts. */
    boolean isCallerInside() {
        return CurrentWork.of(this).isPresent();
    }

    void leave(RunningWork work) {
        TermLeadership leadership = work.leadership();
        long token = leadership.token();
        boolean revoked;
        synchronized (this) {
            entered.remove(work);
            revoked = ending.containsKey(token);
        }
        reportEnded();
        work.age()
                .ifPresent(
                        age -> metrics.report(each -> each.workEnded(leadership.role(), outcome(work, revoked), age)));
    }

    private static NeliMetrics.WorkOutcome outcome(RunningWork work, boolean revoked) {
        if (work.isFenced()) {
            return NeliMetrics.WorkOutcome.INTERRUPTED;
        }
        return revoked ? NeliMetrics.WorkOutcome.DRAINED : NeliMetrics.WorkOutcome.EXECUTED;
    }

    /** Reports the terms whose work and listeners have ended, and wakes those who wait for that. */
    private void reportEnded() {
        List<Long> tokens;
        synchronized (this) {
            notifyAll();
            tokens = List.copyOf(ending.keySet());
        }
        tokens.forEach(this::reportIfOver);
    }

    private void reportIfOver(long token) {
        Ending ended;
        synchronized (this) {
            ended = ending.get(token);
            if (ended == null
                    || ended.roundsOfListeners > 0
                    || running(token).findAny().isPresent()) {
                return;
            }
            ending.remove(token);
        }
        try {
            drained.drained(token, ended.fenced);
        } catch (RuntimeException | Error e) { // such as a full stack: a later call reports it again
            synchronized (this) {
                ending.putIfAbsent(token, ended); // unless a fence came meanwhile, which is reported itself
            }
            throw e;
        }
    }

    private Stream<RunningWork> running(long token) {
        return running().filter(work -> work.leadership().token() == token);
    }

    private Stream<RunningWork> running() {
        return entered.stream().filter(work -> !work.leftBehind);
    }
}
