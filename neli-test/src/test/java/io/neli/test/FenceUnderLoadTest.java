package io.neli.test;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.neli.EventRecorder;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderWork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

/** A fence comes while many threads begin, detach and end work. */
@Tag("proof")
class FenceUnderLoadTest {

    private static final int THREADS = 150;
    private static final int FENCES = 60;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final EventRecorder events = new EventRecorder();
    private final FakeNeli neli =
            FakeNeli.builder().listener(events).handoverTimeout(PATIENCE).build();

    @AfterEach
    void end() {
        neli.close();
        threads.shutdownNow();
    }

    @Test
    void each_fence_arrives() throws InterruptedException {
        neli.start();
        for (int fences = 1; fences <= FENCES; fences++) {
            neli.acquire();
            CountDownLatch begun = new CountDownLatch(THREADS);
            CountDownLatch ended = new CountDownLatch(THREADS);
            for (int thread = 0; thread < THREADS; thread++) {
                threads.execute(() -> {
                    begun.countDown();
                    workUntilFenced();
                    ended.countDown();
                });
            }
            assertThat(begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            neli.fence();
            assertThat(events.of(LeaderFenced.class)).hasSize(fences);
            assertThat(ended.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
    }

    private void workUntilFenced() {
        Queue<LeaderWork> detached = new ArrayDeque<>();
        while (neli.isLeader()) {
            neli.beginWork().ifPresent(work -> {
                if (ThreadLocalRandom.current().nextInt(10) < 3) {
                    work.detach(() -> {});
                    detached.add(work);
                } else {
                    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(3_000_000));
                    work.close();
                }
            });
            if (detached.size() > 1) {
                detached.remove().close();
            }
        }
        detached.forEach(LeaderWork::close);
    }
}
