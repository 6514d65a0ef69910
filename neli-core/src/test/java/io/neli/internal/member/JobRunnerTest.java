package io.neli.internal.member;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.neli.Job;
import io.neli.Job.Guarantee;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class JobRunnerTest {

    @Test
    void a_run_that_ends_after_the_close_does_not_keep_the_next_start_waiting() throws InterruptedException {
        MemberSettings settings = MemberNeliTest.settings();
        MemberNeli neli = new MemberNeli(settings, events -> new DisabledEngine(settings, true, events));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        neli.schedule(new Job(
                "job",
                neli.defaultRole(),
                new Job.FixedRate(Duration.ofDays(1), Duration.ZERO),
                Guarantee.AT_LEAST_ONCE,
                threads,
                run -> {
                    begun.countDown();
                    mayEnd.await();
                }));
        neli.start();
        begun.await();
        neli.close();
        mayEnd.countDown();
        neli.start();
        eventually().until(neli::isLeader);
        assertThat(neli.snapshot().problem()).isPresent(); // that there is no election
        neli.close();
        threads.shutdownNow();
    }
}
