package io.neli.internal.member;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.neli.LeaderWork;
import io.neli.NeliMetrics;
import io.neli.internal.shell.Deadline;
import io.neli.internal.shell.MemberClock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits work on one partition while a term is led and its listeners have prepared, and counts what runs. Thread-safe;
 * calls no foreign code while it holds its monitor.
 */
final class WorkGate {

    private static final Logger log = LoggerFactory.getLogger(WorkGate.class);

    private final MemberClock clock;
    private final Executor fences;
    private final DrainReport drained;
    private final WorkLimit limit;
    private final NeliMetrics metrics;
    private final Set<RunningWork> running = new HashSet<>();
    private final Map<Long, Ending> ending = new HashMap<>();
    private @Nullable TermLeadership term;
    private boolean open;
    private boolean closed;

    /** Receives that a revoked or fenced term's work and listeners have ended. */
    @FunctionalInterface
    interface DrainReport {

        /**
         * {@code fenced} says whether the gate had been notified of a fence by then; if not, a fence is reported again.
         */
        void drained(long token, boolean fenced);
    }

    /** A term that was revoked, fenced, or both in turn: listeners count like work. */
    private static final class Ending {
        int roundsOfListeners;
        boolean fenced;
    }

    /**
     * @param fences where work is interrupted, and what detached work has asked for is called: to interrupt a thread
     *     that waits for a channel closes that channel, and may block
     * @param drained called once a term was revoked or fenced and all its work and listeners have ended; called again
     *     where listeners were notified of a fence after that
     * @param metrics receives the outcome of work; must not throw
     */
    WorkGate(MemberClock clock, Executor fences, DrainReport drained, WorkLimit limit, NeliMetrics metrics) {
        this.clock = clock;
        this.fences = fences;
        this.drained = drained;
        this.limit = limit;
        this.metrics = metrics;
    }

    /** A term begins; work has to wait for {@link #open}. */
    synchronized void acquired(TermLeadership leadership) {
        term = leadership;
        open = false;
    }

    /** The listeners have prepared. Without effect if the term has ended meanwhile. */
    synchronized void open(TermLeadership leadership) {
        if (leadership.equals(term) && !closed) {
            open = true;
            notifyAll();
        }
    }

    /** No more work begins; a call of {@link #listenersDone} follows. */
    synchronized void revoked(long token) {
        end(token);
    }

    /** The term is over: its work is interrupted. A call of {@link #listenersDone} follows. */
    void fenced(long token) {
        List<Runnable> callbacks;
        synchronized (this) {
            end(token).fenced = true;
            callbacks = running.stream()
                    .filter(work -> work.leadership().token() == token)
                    .flatMap(work -> work.fence().stream())
                    .toList();
        }
        call(callbacks);
    }

    void call(List<Runnable> callbacks) {
        if (!callbacks.isEmpty()) {
            try {
                fences.execute(() -> callbacks.forEach(WorkGate::call));
            } catch (Throwable e) { // such as for want of a thread: the listeners must be notified nevertheless
                log.error("Work of a fenced term could not be interrupted", e);
            }
        }
    }

    private static void call(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable e) { // nothing may keep the others from being notified
            log.error("The callback of a fence has failed: {}", callback, e);
        }
    }

    private Ending end(long token) {
        term = null;
        open = false;
        Ending ended = ending.computeIfAbsent(token, none -> new Ending());
        ended.roundsOfListeners++;
        notifyAll();
        return ended;
    }

    /** The member closes: no more work begins, even before the term is revoked. */
    synchronized void close() {
        open = false;
        closed = true;
    }

    /** The listeners have returned from the end of that term; a later term may already have been revoked. */
    void listenersDone(long token) {
        synchronized (this) {
            Ending ended = ending.get(token);
            if (ended != null) {
                ended.roundsOfListeners--;
            }
        }
        reportIfOver(token);
    }

    /** The term in which work may begin, unless its lease is over. */
    synchronized Optional<TermLeadership> term() {
        return open ? Optional.ofNullable(term) : Optional.empty();
    }

    /** Begins work for a role, if the gate is open and the term lasts. */
    Optional<LeaderWork> enter(String role) {
        Optional<RunningWork> whole = CurrentWork.of(this);
        if (whole.isPresent()) {
            return enterWithin(whole.get(), role);
        }
        return admit(role, work -> {
            CurrentWork.begin(work);
            work.watch();
        });
    }

    /** Part of work in progress may also begin in a handover, which waits for the whole. */
    private Optional<LeaderWork> enterWithin(RunningWork whole, String role) {
        if (!whole.leadership().lasts()) { // after a pause, the lease may be over before the fence comes
            return Optional.empty();
        }
        RunningWork part;
        synchronized (this) {
            if (whole.isFenced() || !running.contains(whole)) {
                return Optional.empty();
            }
            part = count(whole.leadership().of(role), whole);
        }
        CurrentWork.begin(part);
        return Optional.of(part);
    }

    private Optional<LeaderWork> admit(String role, Consumer<RunningWork> begin) {
        RunningWork work;
        synchronized (this) {
            if (!open || term == null) {
                return Optional.empty();
            }
            work = count(term.of(role), null);
        }
        // Checked after counting: if the lease ends later, the work is counted and can be interrupted.
        if (!work.leadership().isValid()) {
            work.close();
            return Optional.empty();
        }
        try {
            begin.accept(work);
        } catch (RuntimeException | Error e) { // or the term would never end
            work.close();
            throw e;
        }
        return Optional.of(work);
    }

    /**
     * Lets a handover wait for what is not work: nothing limits, interrupts or measures it. Empty where no work may
     * begin. A fence ends it where it interrupts work.
     */
    Optional<LeaderWork> hold(String role) {
        return admit(role, hold -> hold.detach(hold::close));
    }

    private RunningWork count(TermLeadership leadership, @Nullable RunningWork whole) {
        RunningWork work = new RunningWork(this, clock, limit, leadership, whole);
        running.add(work);
        return work;
    }

    /** Waits until work may begin, or there is no more reason to wait: {@link #wakeWaiting} has it checked again. */
    synchronized void awaitOpen(BooleanSupplier noMore) throws InterruptedException {
        while (!open && !noMore.getAsBoolean()) {
            wait();
        }
    }

    /** Waits until no work runs; returns whether it is so in time. */
    synchronized boolean awaitIdle(Deadline deadline) throws InterruptedException {
        return deadline.await(this, running::isEmpty);
    }

    /** Waits until the term is revoked and only the given threads do work; returns whether it is so in time. */
    synchronized boolean awaitOthers(Set<Thread> callers, Deadline deadline) throws InterruptedException {
        return deadline.await(this, () -> term == null && running.stream().allMatch(work -> work.isOfAny(callers)));
    }

    /** Where work runs now, for people. */
    synchronized List<String> running() {
        return running.stream().map(RunningWork::where).distinct().sorted().toList();
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
            running.remove(work);
            notifyAll();
            revoked = ending.containsKey(token);
        }
        reportIfOver(token);
        work.age().ifPresent(age -> metrics.workEnded(leadership.role(), outcome(work, revoked), age));
    }

    private static NeliMetrics.WorkOutcome outcome(RunningWork work, boolean revoked) {
        if (work.isFenced()) {
            return NeliMetrics.WorkOutcome.INTERRUPTED;
        }
        return revoked ? NeliMetrics.WorkOutcome.DRAINED : NeliMetrics.WorkOutcome.EXECUTED;
    }

    /** Once, when all work and listeners of a term that has ended have ended too. */
    private void reportIfOver(long token) {
        boolean fenced;
        synchronized (this) {
            Ending ended = ending.get(token);
            if (ended == null
                    || ended.roundsOfListeners > 0
                    || running.stream().anyMatch(work -> work.leadership().token() == token)) {
                return;
            }
            ending.remove(token);
            fenced = ended.fenced;
        }
        drained.drained(token, fenced);
    }
}
