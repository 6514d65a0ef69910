package io.neli.internal.member;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.Leadership;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLI_Result;

/** A partition is acquired, between the engine's thread, the event thread and one that asks. */
@JCStressTest
@State
@Outcome(
        id = {"not led, 2, 2", "2, 2, 2"},
        expect = Expect.ACCEPTABLE,
        desc = "All that see it led find the term.")
public class LedPartitionStress {

    private static final String ROLE = ObservedGate.ROLE;

    /** Indexed by the partition's number. All share one event thread, so that it is always busy. */
    private static final Map<Integer, LedPartitionStress> PARTITIONS = new ConcurrentHashMap<>();

    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final EventThread EVENTS = new EventThread(
            "events",
            "group",
            List.of(event -> PARTITIONS.get(event.partition()).onEvent()),
            ObservedGate.NO_LIMIT);

    static {
        EVENTS.keepThread();
    }

    private final int number = NUMBERS.getAndIncrement();
    private final ObservedGate observed = new ObservedGate(() -> {});
    private final LedPartition partition = new LedPartition(
            number,
            List.of(ROLE),
            (partition, token) -> token == led(),
            EVENTS,
            observed.gate,
            ObservedGate.NO_METRICS,
            () -> {},
            prepared -> {});
    private volatile long led;
    private volatile long found;

    private long led() {
        return led;
    }

    private void onEvent() {
        found = partition.leadership(ROLE).map(Leadership::token).orElse(0L);
    }

    /** What the listener found, after all events so far. */
    private long found() {
        CountDownLatch reached = new CountDownLatch(1);
        EVENTS.execute(reached::countDown);
        try {
            reached.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return found;
    }

    @Actor
    public void acquires() {
        PARTITIONS.put(number, this);
        led = 2;
        partition.onEvent(new LeaderAcquired(ROLE, number, 2));
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
