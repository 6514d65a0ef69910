package io.neli.internal.member;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.neli.Neli.BackgroundTask;
import io.neli.NeliMetrics;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Terms;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

class BackgroundTasksTest {

    private static final String ROLE = "default";

    private static final Terms LED = new Terms() {
        @Override
        public boolean leads(int partition, long token) {
            return true;
        }

        @Override
        public boolean lasts(int partition, long token) {
            return true;
        }
    };

    private final WorkGate gate = new WorkGate(
            MemberClock.system(),
            Runnable::run,
            (token, fenced) -> {},
            new WorkLimit(null, null, Duration.ofSeconds(1), WorkLimit.SLOW_LISTENER, "unused", () -> {}),
            new NeliMetrics() {});

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    private void open() {
        TermLeadership term = new TermLeadership(LED, 0, ROLE, 1, Instant.EPOCH);
        gate.acquired(term);
        gate.open(term);
    }

    private void hang() {
        begun.countDown();
        try {
            end.await();
        } catch (InterruptedException e) {
            interrupted.countDown();
        }
    }

    private static boolean comes(CountDownLatch latch) throws InterruptedException {
        return latch.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Test
    void an_interrupted_caller_that_closes_a_task_interrupts_it_at_once() throws InterruptedException {
        open();
        BackgroundTask task = new BackgroundTasks(MemberNeliTest.settings()).start(ROLE, gate, leadership -> hang());
        assertThat(comes(begun)).isTrue();
        Thread caller = new Thread(() -> {
            Thread.currentThread().interrupt();
            task.close();
        });

        caller.start();

        boolean inTime = comes(interrupted);
        end.countDown();
        caller.join(PATIENCE.toMillis());
        assertThat(inTime).isTrue();
    }
}
