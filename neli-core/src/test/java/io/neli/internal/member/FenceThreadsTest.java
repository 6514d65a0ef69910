package io.neli.internal.member;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import static io.neli.TestMember.await;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class FenceThreadsTest {

    private final FenceThreads threads = new FenceThreads("fence-under-test");

    @Test
    void what_blocks_on_one_fence_does_not_hold_up_another() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicReference<Thread> other = new AtomicReference<>();
        threads.execute(() -> isInterruptedIn(release));
        threads.execute(() -> other.set(Thread.currentThread()));
        eventually().until(() -> other.get() != null);
        assertThat(other.get().getName()).isEqualTo("fence-under-test");
        assertThat(other.get().isDaemon()).isTrue();
        release.countDown();
        threads.close();
    }

    @Test
    void the_close_interrupts_what_goes_on() {
        CountDownLatch interrupted = new CountDownLatch(1);
        threads.execute(() -> {
            if (isInterruptedIn(new CountDownLatch(1))) {
                interrupted.countDown();
            }
        });
        threads.close();
        await(interrupted);
    }

    @Test
    void the_close_may_come_from_one_of_them() {
        AtomicBoolean interrupted = new AtomicBoolean(true);
        AtomicBoolean closed = new AtomicBoolean();
        threads.execute(() -> {
            threads.close();
            interrupted.set(Thread.currentThread().isInterrupted());
            closed.set(true);
        });
        eventually().untilTrue(closed);
        assertThat(interrupted).isFalse();
    }

    private static boolean isInterruptedIn(CountDownLatch latch) {
        try {
            latch.await();
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }
}
