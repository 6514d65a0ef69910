package io.neli.internal.member;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import io.neli.Neli.BackgroundTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.await;

class BackgroundTasksTest {

    private final ObservedGate observed = new ObservedGate(() -> {});
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    private void hang() {
        begun.countDown();
        try {
            end.await();
        } catch (InterruptedException e) {
            interrupted.countDown();
        }
    }

    @BeforeEach
    void leads() {
        observed.gate.open(observed.acquired(1, token -> true));
    }

    @AfterEach
    void end() {
        end.countDown();
    }

    @Test
    void an_interrupted_caller_that_closes_a_task_interrupts_it_at_once() throws InterruptedException {
        BackgroundTask task = new BackgroundTasks(MemberNeliTest.settings())
                .start(ObservedGate.ROLE, observed.gate, leadership -> hang());
        await(begun);
        Thread caller = new Thread(() -> {
            Thread.currentThread().interrupt();
            task.close();
        });

        caller.start();

        await(interrupted);
        caller.join(PATIENCE.toMillis());
    }

    /** Throws neither an exception nor an error, like code in other languages that leaves a loop. */
    @SuppressWarnings("unchecked")
    static <E extends Throwable> void fail() throws E {
        throw (E) new Throwable("meant to fail");
    }

    @Test
    void a_task_that_throws_what_is_no_exception_is_called_again_like_any_other() {
        AtomicBoolean failed = new AtomicBoolean();
        BackgroundTask task = new BackgroundTasks(MemberNeliTest.settings())
                .start(ObservedGate.ROLE, observed.gate, leadership -> {
                    if (!failed.getAndSet(true)) {
                        BackgroundTasksTest.<RuntimeException>fail();
                    }
                    begun.countDown();
                });
        await(begun);
        task.close();
    }
}
