package io.neli;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

import org.jspecify.annotations.Nullable;

/**
 * Lets work begin on one partition while a term is led and its listeners have prepared, and knows what runs. Thread-safe;
 * never calls out while it holds its monitor.
 */
final class WorkGate {

    private final Interrupts interrupts;
    private final LongConsumer drained;
    private final WorkLimit limit;
    private final NeliMetrics metrics;
    private final Set<GatedWork> running = new HashSet<>();
    private final Map<Long, Ending> ending = new HashMap<>();
    private @Nullable TermLeadership term;
    private boolean open;
    private boolean closed;

    /** A term that was revoked or fenced, or the one and then the other: listeners count like work. */
    private static final class Ending {
        int roundsOfListeners;
    }

    /** A gate that is shut, and whose work is not measured. */
    WorkGate(Interrupts interrupts, LongConsumer drained, WorkLimit limit) {
        this(interrupts, drained, limit, new NeliMetrics() {});
    }

    /**
     * A gate that is shut.
     *
     * @param drained called with a term's token once it was revoked or fenced and all its work and listeners have ended;
     *     called again where listeners were told of a fence after that
     * @param metrics hears of work that begins and ends; must not throw
     */
    WorkGate(Interrupts interrupts, LongConsumer drained, WorkLimit limit, NeliMetrics metrics) {
        this.interrupts = interrupts;
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
        if (term == leadership && !closed) {
            open = true;
            notifyAll();
        }
    }

    /** No work begins any more; a round of {@link #listenersDone} follows. */
    synchronized void revoked(long token) {
        end(token);
    }

    /** The term is over: its work is interrupted. A round of {@link #listenersDone} follows. */
    void fenced(long token) {
        List<Runnable> callbacks;
        synchronized (this) {
            end(token);
            callbacks = running.stream()
                    .filter(work -> work.leadership().token() == token)
                    .flatMap(work -> work.fence().stream())
                    .toList();
        }
        interrupts.call(callbacks);
    }

    private void end(long token) {
        term = null;
        open = false;
        ending.computeIfAbsent(token, ended -> new Ending()).roundsOfListeners++;
    }

    /** The member closes: no work begins any more, also before the term is revoked. */
    synchronized void close() {
        open = false;
        closed = true;
    }

    /** The listeners have heard of the end of that term; it may be over for long, and another be revoked by now. */
    void listenersDone(long token) {
        boolean done;
        synchronized (this) {
            Ending ended = ending.get(token);
            if (ended != null) {
                ended.roundsOfListeners--;
            }
            done = isDrained(token);
        }
        report(token, done);
    }

    /** Begins work for a role, if the gate is open and the term lasts. */
    Optional<LeaderWork> enter(String role) {
        Optional<GatedWork> outer = workOf(Thread.currentThread());
        if (outer.isPresent()) {
            // A part of work under way, also in a handover: that waits for the whole.
            return outer.filter(work -> !work.isFenced()).map(work -> new WorkPart(this, work, role));
        }
        Optional<GatedWork> entered = count(role);
        if (entered.isEmpty()) {
            return Optional.empty();
        }
        GatedWork work = begin(entered.get());
        // Asked only now: a lease that ends later ends under work that is counted.
        if (!work.leadership().isValid()) {
            work.close();
            return Optional.empty();
        }
        return Optional.of(letIn(work));
    }

    private synchronized Optional<GatedWork> count(String role) {
        return open && term != null ? Optional.of(count(term.of(role))) : Optional.empty();
    }

    private GatedWork count(TermLeadership leadership) {
        GatedWork work = new GatedWork(leadership, interrupts, this::leave);
        running.add(work);
        return work;
    }

    /** Makes a part of the calling thread's work count by itself, to be detached. */
    GatedWork split(GatedWork whole, TermLeadership leadership) {
        GatedWork part;
        synchronized (this) {
            if (!running.contains(whole) || !whole.isOf(Thread.currentThread())) {
                throw GatedWork.cannotDetach(leadership);
            }
            part = count(leadership);
            if (whole.isFenced()) {
                part.fence();
            }
        }
        return letIn(begin(part));
    }

    private GatedWork letIn(GatedWork work) {
        work.letIn();
        metrics.workBegun(work.leadership().role());
        return work;
    }

    private GatedWork begin(GatedWork work) {
        try {
            work.begin(limit);
            return work;
        } catch (RuntimeException | Error e) { // or the term would never end
            work.close();
            throw e;
        }
    }

    /** Waits until work may begin, or there is no more reason to wait: {@link #wakeWaiting} has it looked at anew. */
    synchronized void awaitOpen(BooleanSupplier noMore) throws InterruptedException {
        while (!open && !noMore.getAsBoolean()) {
            wait();
        }
    }

    synchronized void wakeWaiting() {
        notifyAll();
    }

    /** Whether the calling thread is at work inside the gate. */
    boolean isCallerInside() {
        return workOf(Thread.currentThread()).isPresent();
    }

    private synchronized Optional<GatedWork> workOf(Thread thread) {
        return running.stream().filter(work -> work.isOf(thread)).findFirst();
    }

    private void leave(GatedWork work) {
        TermLeadership leadership = work.leadership();
        long token = leadership.token();
        boolean revoked;
        boolean done;
        synchronized (this) {
            running.remove(work);
            revoked = ending.containsKey(token);
            done = isDrained(token);
        }
        report(token, done);
        work.age().ifPresent(age -> metrics.workEnded(leadership.role(), outcome(work, revoked), age));
    }

    private static NeliMetrics.WorkOutcome outcome(GatedWork work, boolean revoked) {
        if (work.isFenced()) {
            return NeliMetrics.WorkOutcome.INTERRUPTED;
        }
        return revoked ? NeliMetrics.WorkOutcome.DRAINED : NeliMetrics.WorkOutcome.EXECUTED;
    }

    private boolean isDrained(long token) {
        Ending ended = ending.get(token);
        if (ended == null
                || ended.roundsOfListeners > 0
                || running.stream().anyMatch(work -> work.leadership().token() == token)) {
            return false;
        }
        ending.remove(token);
        return true;
    }

    private void report(long token, boolean done) {
        if (done) {
            drained.accept(token);
        }
    }
}
