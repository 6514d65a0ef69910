package io.neli.internal.member;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.neli.Neli.BackgroundTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.neli.TestMember.await;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class BackgroundTasksTest {

    private final ObservedGate observed = new ObservedGate(() -> {});
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);

    private void hang() {
        begun.countDown();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            interrupted.countDown();
        }
    }

    @BeforeEach
    void leads() {
        observed.gate.open(observed.acquired(1, token -> true));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void an_interrupted_caller_that_closes_a_task_interrupts_it_at_once(boolean before) throws InterruptedException {
        BackgroundTask task = new BackgroundTasks(MemberNeliTest.settings())
                .start(ObservedGate.ROLE, observed.gate, leadership -> hang());
        await(begun);
        Thread caller = new Thread(() -> {
            if (before) {
                Thread.currentThread().interrupt();
            }
            task.close();
        });

        caller.start();
        if (!before) {
            eventually().until(() -> caller.getState() == Thread.State.TIMED_WAITING);
            caller.interrupt();
        }

        await(interrupted);
    }

    /** Throws neither an exception nor an error, like code in other languages that leaves a loop. */
    @SuppressWarnings("unchecked")
    static <E extends Throwable> void fail() throws E {
        throw (E) new Throwable("meant to fail");
    }

    @Test
    void a_task_is_called_again_whatever_it_throws() {
        AtomicInteger calls = new AtomicInteger();
        AtomicBoolean leftBehind = new AtomicBoolean();
        AtomicLong thrown = new AtomicLong();
        BackgroundTask task = new BackgroundTasks(MemberNeliTest.settings())
                .start(ObservedGate.ROLE, observed.gate, leadership -> {
                    leftBehind.compareAndSet(false, Thread.currentThread().isInterrupted());
                    switch (calls.incrementAndGet()) {
                        case 1 -> throw new IllegalStateException("meant to fail");
                        case 2 -> BackgroundTasksTest.<RuntimeException>fail();
                        case 3 -> Thread.currentThread().interrupt();
                        case 4 -> {
                            thrown.set(System.nanoTime());
                            throw new InterruptedException("meant to fail");
                        }
                        default -> begun.countDown();
                    }
                });
        await(begun);
        assertThat(System.nanoTime() - thrown.get()).as("a pause").isGreaterThanOrEqualTo(500_000_000);
        assertThat(leftBehind).as("an interrupt of an earlier call").isFalse();
        task.close();
    }
}
