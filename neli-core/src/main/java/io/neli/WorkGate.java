package io.neli;

import java.util.HashMap;
import java.util.HashSet;
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
    private final Set<Work> running = new HashSet<>();
    private final Map<Long, Ending> ending = new HashMap<>();
    private @Nullable TermLeadership term;
    private boolean open;
    private boolean closed;

    /** A term that was revoked or fenced, or the one and then the other: listeners count like work. */
    private static final class Ending {
        int roundsOfListeners;
    }

    /**
     * A gate that is shut.
     *
     * @param drained called with a term's token once it was revoked or fenced and all its work and listeners have ended;
     *     called again where listeners were told of a fence after that
     */
    WorkGate(Interrupts interrupts, LongConsumer drained, WorkLimit limit) {
        this.interrupts = interrupts;
        this.drained = drained;
        this.limit = limit;
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
    synchronized void fenced(long token) {
        end(token);
        running.stream().filter(work -> work.leadership.token() == token).forEach(work -> work.fence());
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
        Work work;
        synchronized (this) {
            Optional<Work> outer = workOf(Thread.currentThread());
            if (outer.isPresent()) {
                // A part of work under way, also in a handover: that waits for the whole.
                return outer.get().isFenced() ? Optional.empty() : Optional.of(new Part(outer.get(), role));
            }
            if (!open || term == null) {
                return Optional.empty();
            }
            work = new Work(term.of(role), Thread.currentThread());
            running.add(work);
        }
        try {
            work.watch = limit.watchWork();
        } catch (RuntimeException | Error e) { // or the term would never end
            work.close();
            throw e;
        }
        // Asked only now: a lease that ends later ends under work that is counted.
        if (!work.leadership().isValid()) {
            work.close();
            return Optional.empty();
        }
        return Optional.of(work);
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
    synchronized boolean isCallerInside() {
        return workOf(Thread.currentThread()).isPresent();
    }

    private Optional<Work> workOf(Thread thread) {
        return running.stream().filter(work -> work.thread == thread).findFirst();
    }

    private void leave(Work work) {
        long token = work.leadership.token();
        boolean done;
        synchronized (this) {
            running.remove(work);
            done = isDrained(token);
        }
        report(token, done);
    }

    private boolean isDrained(long token) {
        Ending ended = ending.get(token);
        if (ended == null
                || ended.roundsOfListeners > 0
                || running.stream().anyMatch(work -> work.leadership.token() == token)) {
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

    /** Work within work: ends with the outer one. */
    private record Part(Work outer, String role) implements LeaderWork {

        @Override
        public Leadership leadership() {
            return outer.leadership.of(role);
        }

        @Override
        public void close() {
            // the outer work goes on
        }
    }

    private final class Work implements LeaderWork {

        private final TermLeadership leadership;
        private final Thread thread;
        private WorkLimit.Watch watch = () -> {};
        private boolean ended;
        private boolean fenced;
        private boolean interrupted;

        Work(TermLeadership leadership, Thread thread) {
            this.leadership = leadership;
            this.thread = thread;
        }

        @Override
        public Leadership leadership() {
            return leadership;
        }

        /** Never interrupts after the end: the thread may be at something else by then. */
        synchronized void fence() {
            fenced = true;
            if (!ended) {
                interrupted = interrupts.interrupt(thread);
            }
        }

        synchronized boolean isFenced() {
            return fenced;
        }

        @Override
        public void close() {
            synchronized (this) {
                if (ended) {
                    return;
                }
                ended = true;
                if (interrupted) {
                    interrupts.takeBack();
                }
            }
            watch.close();
            leave(this);
        }
    }
}
