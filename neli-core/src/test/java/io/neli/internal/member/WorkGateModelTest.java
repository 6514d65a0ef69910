package io.neli.internal.member;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.neli.NeliMetrics;
import io.neli.internal.kafka.MemberClock;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Orders in which threads meet at the gate: Lincheck switches between them at their accesses to shared state. It gives up a run
 * that takes too long, so these are proofs for a machine with time.
 */
@Tag("proof")
class WorkGateModelTest {

    private static final int ORDERS = Integer.getInteger("neli.orders", 500);
    private static final String ROLE = "default";

    /** A gate, the lease, and what the threads observe. Term 2 begins when term 1 has drained. */
    private static final class World {

        private final boolean hasNextTerm;
        private volatile long led;
        private final AtomicIntegerArray working = new AtomicIntegerArray(3);
        private final AtomicInteger drained = new AtomicInteger();
        private final AtomicInteger ofFence = new AtomicInteger();
        private final AtomicReference<String> violation = new AtomicReference<>();
        private volatile boolean lastWasOfFence;
        private final WorkGate gate = new WorkGate(
                MemberClock.system(),
                new Interrupts(false, Runnable::run),
                this::drained,
                new WorkLimit(null, Duration.ofSeconds(1), "unused", () -> {}),
                new NeliMetrics() {});

        World(boolean hasNextTerm) {
            this.hasNextTerm = hasNextTerm;
            leads(1);
        }

        private void leads(long token) {
            led = token;
            TermLeadership term = new TermLeadership(ROLE, token, Instant.EPOCH, asked -> led == asked);
            gate.acquired(term);
            gate.open(term);
        }

        private void drained(long token, boolean fenced) {
            check(working.get((int) token) == 0, "drained is reported while work runs");
            drained.incrementAndGet();
            if (fenced) {
                ofFence.incrementAndGet();
            }
            lastWasOfFence = fenced;
            if (hasNextTerm) {
                leads(token + 1);
            }
        }

        void works() {
            gate.enter(ROLE).ifPresent(work -> {
                int token = (int) work.leadership().token();
                working.incrementAndGet(token);
                check(token > drained.get(), "work begins after its term has drained");
                check(working.get(3 - token) == 0, "work of two terms overlaps");
                working.decrementAndGet(token);
                work.close();
            });
        }

        void isRevoked() {
            led = 0;
            gate.revoked(1);
            gate.listenersDone(1);
        }

        void isFenced() {
            led = 0;
            gate.fenced(1);
            gate.listenersDone(1);
        }

        void check(boolean holds, String what) {
            if (!holds) {
                violation.compareAndSet(null, what);
            }
        }

        void hasReported(int ends, int endsOfFence) {
            check(drained.get() == ends, "drained is reported " + drained + " times");
            check(ofFence.get() == endsOfFence, "drained is reported of a fence " + ofFence + " times");
            if (violation.get() != null) {
                throw new AssertionError(violation.get());
            }
        }
    }

    private static void together(Runnable... runs) {
        List<Thread> threads = Stream.of(runs).map(Thread::new).toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void a_handover_waits_for_work_and_is_reported_once() {
        Lincheck.runConcurrentTest(ORDERS, () -> {
            World world = new World(false);
            together(world::works, world::isRevoked);
            world.hasReported(1, 0);
        });
    }

    @Test
    void a_fence_waits_for_work_and_is_reported_once() {
        Lincheck.runConcurrentTest(ORDERS, () -> {
            World world = new World(false);
            together(world::works, world::isFenced);
            world.hasReported(1, 1);
        });
    }

    /** The listeners return from the revocation on one thread, while the term is fenced on another. */
    @Test
    void the_last_report_of_a_term_that_was_revoked_and_then_fenced_is_of_the_fence() {
        Lincheck.runConcurrentTest(ORDERS, () -> {
            World world = new World(false);
            world.led = 0;
            world.gate.revoked(1);
            together(() -> world.gate.fenced(1), () -> world.gate.listenersDone(1));
            world.gate.listenersDone(1);
            world.check(world.lastWasOfFence, "the last report is not of the fence");
            world.hasReported(world.drained.get(), 1);
        });
    }

    @Test
    void work_of_two_terms_never_overlaps() {
        Lincheck.runConcurrentTest(ORDERS, () -> {
            World world = new World(true);
            together(world::works, world::isRevoked, world::works);
            world.hasReported(1, 0);
        });
    }
}
