package io.neli;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Lets work begin while a term is led and its listeners have prepared, and knows what runs. Thread-safe; never calls out
 * while it holds its monitor.
 */
final class WorkGate {

    private final boolean interruptOnFence;
    private final Set<Work> running = new HashSet<>();
    private @Nullable Leadership term;
    private boolean open;
    private boolean closed;
    private @Nullable Drain drain;

    /** A revoked term: its listeners count like work. */
    private static final class Drain {
        final long token;
        final Runnable whenDone;
        boolean listenersDone;

        Drain(long token, Runnable whenDone) {
            this.token = token;
            this.whenDone = whenDone;
        }
    }

    WorkGate(boolean interruptOnFence) {
        this.interruptOnFence = interruptOnFence;
    }

    /** A term begins; work has to wait for {@link #open}. */
    synchronized void acquired(Leadership leadership) {
        term = leadership;
        open = false;
    }

    /** The listeners have prepared. Without effect if the term has ended meanwhile. */
    synchronized void open(Leadership leadership) {
        if (term == leadership && !closed) {
            open = true;
            notifyAll();
        }
    }

    /** No work begins any more; {@code whenDrained} is called once all work and the listeners have ended. */
    synchronized void revoked(long token, Runnable whenDrained) {
        term = null;
        open = false;
        drain = new Drain(token, whenDrained);
    }

    /** The member closes: no work begins any more, also before the term is revoked. */
    synchronized void close() {
        open = false;
        closed = true;
    }

    /** The listeners have wrapped up that term; it may be over for long, and another be revoked by now. */
    void listenersDone(long token) {
        Runnable done;
        synchronized (this) {
            if (drain != null && drain.token == token) {
                drain.listenersDone = true;
            }
            done = takeDrained();
        }
        done.run();
    }

    /** The term is over: work is interrupted, and nothing waits for it any longer. */
    synchronized void fenced() {
        term = null;
        open = false;
        drain = null;
        running.forEach(work -> work.fence(interruptOnFence));
    }

    /** Begins work, if the gate is open and the term lasts. */
    Optional<LeaderWork> enter() {
        Work work;
        synchronized (this) {
            Optional<Work> outer = workOf(Thread.currentThread());
            if (outer.isPresent()) {
                // A part of work under way, also in a handover: that waits for the whole.
                return outer.get().isFenced() ? Optional.empty() : Optional.of(new Part(outer.get()));
            }
            if (!open || term == null) {
                return Optional.empty();
            }
            work = new Work(term, Thread.currentThread());
            running.add(work);
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
        Runnable done;
        synchronized (this) {
            running.remove(work);
            done = takeDrained();
        }
        done.run();
    }

    private Runnable takeDrained() {
        if (drain == null || !drain.listenersDone || !running.isEmpty()) {
            return () -> {};
        }
        Runnable done = drain.whenDone;
        drain = null;
        return done;
    }

    /** Work within work: ends with the outer one. */
    private record Part(Work outer) implements LeaderWork {

        @Override
        public Leadership leadership() {
            return outer.leadership();
        }

        @Override
        public void close() {
            // the outer work goes on
        }
    }

    private final class Work implements LeaderWork {

        private final Leadership leadership;
        private final Thread thread;
        private boolean ended;
        private boolean fenced;
        private boolean interrupted;

        Work(Leadership leadership, Thread thread) {
            this.leadership = leadership;
            this.thread = thread;
        }

        @Override
        public Leadership leadership() {
            return leadership;
        }

        /** Never interrupts after the end: the thread may be at something else by then. */
        synchronized void fence(boolean interrupt) {
            fenced = true;
            if (interrupt && !ended) {
                interrupted = true;
                thread.interrupt();
            }
        }

        synchronized boolean isFenced() {
            return fenced;
        }

        @Override
        @SuppressWarnings("ResultOfMethodCallIgnored")
        public void close() {
            synchronized (this) {
                if (ended) {
                    return;
                }
                ended = true;
                if (interrupted) {
                    Thread.interrupted();
                }
            }
            leave(this);
        }
    }
}
