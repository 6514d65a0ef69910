package io.neli.test;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.EventRecorder;
import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderListener;
import io.neli.LeaderWork;
import io.neli.NeliSnapshot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** What runs on when an election is closed keeps its next start from taking part. */
class RestartedFakeNeliTest {

    private static final Duration SHORT = Duration.ofMillis(50);

    private final EventRecorder events = new EventRecorder();
    private final CountDownLatch release = new CountDownLatch(1);
    private final ExecutorService threads =
            Executors.newCachedThreadPool(task -> new Thread(task, "ignores-interrupts"));

    @AfterEach
    void end() {
        release.countDown();
        threads.shutdownNow();
        events.assertLegal();
    }

    private FakeNeliBuilder leading(Duration handoverTimeout) {
        return FakeNeli.builder().leading(true).listener(events).handoverTimeout(handoverTimeout);
    }

    /** Leads, although its listeners may have needed longer than its short limit. */
    static FakeNeli started(FakeNeliBuilder builder) {
        FakeNeli neli = builder.build();
        try {
            neli.start();
        } catch (IllegalStateException tooSlow) {
            assertThat(tooSlow).hasMessageContaining("a listener still runs");
        }
        eventually().until(() -> {
            Optional<LeaderWork> work = neli.beginWork();
            work.ifPresent(LeaderWork::close);
            return work.isPresent();
        });
        return neli;
    }

    /** The last one of a test, with the same limit. */
    static void end(FakeNeli neli) {
        try {
            neli.close();
        } catch (IllegalStateException tooSlow) {
            assertThat(tooSlow).hasMessageContaining("still runs");
        }
    }

    private void ignoreInterrupts() {
        while (release.getCount() > 0) {
            try {
                release.await();
            } catch (InterruptedException e) {
                continue;
            }
        }
    }

    /** Work that ends when the test says so. */
    private void work(FakeNeli neli) {
        CountDownLatch begun = new CountDownLatch(1);
        threads.execute(() -> {
            try (LeaderWork work = neli.beginWork().orElseThrow()) {
                begun.countDown();
                ignoreInterrupts();
                assertThat(work.leadership().isValid()).isFalse();
            }
        });
        eventually().until(() -> begun.getCount() == 0);
    }

    private static void closeLate(FakeNeli neli) {
        assertThatIllegalStateException().isThrownBy(neli::close).withMessageContaining("still runs after 50 ms");
    }

    @Test
    void work_that_outlasts_the_close_keeps_the_next_start_from_leading_until_it_ends() {
        FakeNeli neli = started(leading(SHORT));
        work(neli);
        closeLate(neli);

        assertThatIllegalStateException()
                .isThrownBy(neli::start)
                .withMessageContainingAll(
                        "the previous start of this election has not ended",
                        "work in role 'default' on thread 'ignores-interrupts'");
        assertThat(neli.isLeader()).isFalse();
        assertThat(neli.beginWork()).isEmpty();
        assertThat(neli.snapshot().problem().orElseThrow()).contains("on thread 'ignores-interrupts'");
        assertThatIllegalStateException().isThrownBy(neli::acquire).withMessageContaining("'ignores-interrupts'");
        release.countDown();

        eventually().until(neli::isLeader);
        eventually().untilAsserted(() -> assertThat(neli.snapshot().problem()).isEmpty());
        end(neli);
    }

    @Test
    void a_start_waits_for_a_close_in_progress() {
        FakeNeli neli = leading(PATIENCE).start();
        work(neli);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(neli::close, threads);
        eventually().until(() -> !events.of(LeaderRevoked.class).isEmpty());

        CompletableFuture<Void> starting = CompletableFuture.runAsync(neli::start, threads);
        eventually().until(() -> neli.snapshot().problem().isPresent());
        assertThat(neli.isLeader()).isFalse();
        release.countDown();

        assertThat(closing).succeedsWithin(PATIENCE);
        assertThat(starting).succeedsWithin(PATIENCE);
        assertThat(neli.isLeader()).isTrue();
        neli.close();
    }

    @Test
    void a_listener_that_holds_up_the_close_keeps_the_next_start_from_leading() {
        AtomicInteger inside = new AtomicInteger();
        LeaderListener slow = event -> {
            if (event instanceof LeaderRevoked && inside.incrementAndGet() == 1) {
                ignoreInterrupts();
                inside.set(100);
            }
        };
        FakeNeli neli = started(leading(SHORT).listener(slow));
        CompletableFuture<Void> unused = CompletableFuture.runAsync(neli::close, threads);
        eventually().until(() -> inside.get() == 1);

        assertThatIllegalStateException()
                .isThrownBy(neli::start)
                .withMessageContaining("a listener on thread 'neli-fake-events'");
        release.countDown();

        eventually().until(neli::isLeader);
        assertThat(inside).hasValue(100);
        end(neli);
    }

    @Test
    void a_start_that_is_closed_before_it_takes_part_leaves_the_wait_to_the_next_one() {
        FakeNeli neli = started(leading(SHORT));
        work(neli);
        closeLate(neli);
        assertThatIllegalStateException().isThrownBy(neli::start);
        neli.close();
        assertThat(neli.snapshot().status()).isEqualTo(NeliSnapshot.Status.STOPPED);

        assertThatIllegalStateException().isThrownBy(neli::start).withMessageContaining("'ignores-interrupts'");
        int before = events.all().size();
        release.countDown();

        eventually().until(neli::isLeader);
        eventually().until(() -> events.all().size() == before + 1);
        assertThat(events.all()).last().isInstanceOf(LeaderEvent.LeaderAcquired.class);
        end(neli);
        eventually().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("neli-fake")));
    }

    /** It would wait for its caller. */
    @Test
    void work_may_close_and_start_its_own_election() {
        FakeNeli neli = leading(PATIENCE).start();
        CompletableFuture<Boolean> restarted = CompletableFuture.supplyAsync(
                () -> {
                    try (LeaderWork work = neli.beginWork().orElseThrow()) {
                        neli.close();
                        neli.start();
                        return neli.isLeader() && work.leadership().isValid();
                    }
                },
                threads);

        assertThat(restarted).succeedsWithin(PATIENCE).isEqualTo(false);
        eventually().until(neli::isLeader);
        neli.close();
    }
}
