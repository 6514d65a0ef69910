package io.neli.internal.shell;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class TaskThreadsTest {

    private final TaskThreads threads = new TaskThreads("under-test");
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicReference<String> blocked = new AtomicReference<>();

    private void block() {
        try {
            release.await();
            blocked.set("released");
        } catch (InterruptedException e) {
            blocked.set("interrupted");
        }
    }

    @Test
    void what_blocks_does_not_hold_up_another_task_and_the_close_waits_for_it() {
        AtomicReference<Thread> other = new AtomicReference<>();
        threads.execute(this::block);
        threads.execute(() -> other.set(Thread.currentThread()));
        eventually().until(() -> other.get() != null);
        assertThat(other.get().getName()).isEqualTo("under-test");
        assertThat(other.get().isDaemon()).isTrue();
        release.countDown();
        threads.close(PATIENCE);
        assertThat(blocked).hasValue("released");
    }

    @Test
    void the_close_interrupts_what_outlasts_its_limit() {
        threads.execute(this::block);
        threads.close(Duration.ofMillis(1));
        threads.close(PATIENCE);
        assertThat(blocked).hasValue("interrupted");
    }

    @Test
    void the_close_may_come_from_one_of_them() {
        AtomicReference<Boolean> interrupted = new AtomicReference<>();
        threads.execute(() -> {
            threads.close(Duration.ofMillis(1));
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        eventually().until(() -> interrupted.get() != null);
        assertThat(interrupted).hasValue(false);
    }
}
