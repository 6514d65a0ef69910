package io.neli.internal.member;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.Leadership;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LII_Result;
import org.openjdk.jcstress.infra.results.LLI_Result;

/** A partition that is acquired and lost, between the engine's thread, the event thread and those that ask and work. */
public class LedPartitionStress {

    private static final String ROLE = ObservedGate.ROLE;

    /** By the partition's number: all share one event thread, which is that way always busy. */
    private static final Map<Integer, LedPartitionStress> PARTITIONS = new ConcurrentHashMap<>();

    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final EventThread EVENTS = new EventThread(
            "events",
            "group",
            List.of(event -> PARTITIONS.get(event.partition()).onEvent(event)),
            ObservedGate.NO_LIMIT);

    static {
        EVENTS.keepThread();
    }

    final int number = NUMBERS.getAndIncrement();
    final ObservedGate observed = new ObservedGate(() -> acquires(2));
    final LedPartition partition = new LedPartition(
            number,
            List.of(ROLE),
            (partition, token) -> token == led(),
            ObservedGate.CLOCK,
            EVENTS,
            observed.gate,
            ObservedGate.NO_METRICS,
            () -> {},
            prepared -> {});
    private volatile long led;
    private volatile long found;

    LedPartitionStress() {
        PARTITIONS.put(number, this);
    }

    private long led() {
        return led;
    }

    void acquires(long token) {
        led = token;
        partition.onEvent(new LeaderAcquired(ROLE, number, token));
    }

    void isFenced() {
        led = 0;
        partition.onEvent(new LeaderFenced(ROLE, number, 1, FenceReason.LEASE_EXPIRED));
    }

    private void onEvent(LeaderEvent event) {
        found = partition.leadership(ROLE).map(Leadership::token).orElse(0L);
    }

    /** What the listener has found, after all events that have come. */
    long found() {
        CountDownLatch reached = new CountDownLatch(1);
        EVENTS.execute(reached::countDown);
        try {
            reached.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return found;
    }

    @JCStressTest
    @State
    @Outcome(
            id = {"not led, 2, 2", "2, 2, 2"},
            expect = Expect.ACCEPTABLE,
            desc = "All that see it led find the term.")
    public static class Acquisition extends LedPartitionStress {

        @Actor
        public void acquires() {
            acquires(2);
        }

        @Actor
        public void asks(LLI_Result result) {
            result.r1 = partition.isLed()
                    ? partition
                            .leadership(ROLE)
                            .map(term -> Long.toString(term.token()))
                            .orElse("no leadership")
                    : "not led";
        }

        @Arbiter
        public void sees(LLI_Result result) {
            result.r2 = found();
            result.r3 = observed.work();
            PARTITIONS.remove(number);
        }
    }

    @JCStressTest
    @State
    @Outcome(
            id = "none, 1, 2",
            expect = Expect.ACCEPTABLE,
            desc = "No promise is broken, and the second term can work.")
    public static class NextTerm extends LedPartitionStress {

        public NextTerm() {
            acquires(1);
        }

        @Actor
        public void isFencedAndWorks() {
            isFenced();
            observed.work();
        }

        @Actor
        public void works() {
            for (int i = 0; i < 10; i++) {
                observed.work();
            }
        }

        @Arbiter
        public void sees(LII_Result result) {
            found(); // by now the second term has begun
            found(); // and its listeners have prepared
            result.r2 = observed.reports();
            result.r3 = observed.work();
            result.r1 = observed.violation();
            PARTITIONS.remove(number);
        }
    }
}
