package io.neli.test;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.EventRecorder;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderListener;
import io.neli.LeaderWork;
import io.neli.NeliException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.awaitUninterruptibly;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Work and listeners that continue after a close must have ended before the election starts again. */
class RestartedFakeNeliTest {

    private static final Duration SHORT = Duration.ofMillis(100);

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

    /** Returns when it leads. Its short limit may be over before its listeners have returned. */
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

    /** Closes the last fake of a test, which may have the same short limit. */
    static void end(FakeNeli neli) {
        try {
            neli.close();
        } catch (IllegalStateException tooSlow) {
            assertThat(tooSlow).hasMessageContaining("still runs");
        }
    }

    /** Begins work that ends when the test says so. */
    private void work(FakeNeli neli) {
        CountDownLatch begun = new CountDownLatch(1);
        threads.execute(() -> {
            try (LeaderWork work = neli.beginWork().orElseThrow()) {
                begun.countDown();
                awaitUninterruptibly(release);
                assertThat(work.leadership().isValid()).isFalse();
            }
        });
        eventually().until(() -> begun.getCount() == 0);
    }

    private static void closeLate(FakeNeli neli) {
        assertThatIllegalStateException().isThrownBy(neli::close).withMessageContaining("still runs after 100 ms");
    }

    @Test
    void a_start_is_refused_while_work_runs_that_has_outlasted_the_close() {
        FakeNeli neli = started(leading(SHORT));
        work(neli);
        closeLate(neli);

        assertThatThrownBy(neli::start)
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll(
                        "the previous start of this election has not ended",
                        "work in role 'default' on thread 'ignores-interrupts'");
        assertThat(neli.isLeader()).isFalse();
        assertThat(neli.beginWork()).isEmpty();
        assertThatIllegalStateException().isThrownBy(neli::acquire);
        release.countDown();

        eventually().untilAsserted(() -> assertThatCode(neli::start).doesNotThrowAnyException());
        eventually().until(neli::isLeader);
        end(neli);
        eventually().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("neli-fake")));
    }

    @Test
    void a_start_waits_for_a_close_in_progress() {
        FakeNeli neli = leading(PATIENCE).start();
        work(neli);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(neli::close, threads);
        eventually().until(() -> !events.of(LeaderRevoked.class).isEmpty());

        Thread starting = new Thread(neli::start);
        starting.start();
        eventually().until(() -> starting.getState() == Thread.State.TIMED_WAITING);
        assertThat(neli.isLeader()).isFalse();
        release.countDown();

        assertThat(closing).succeedsWithin(PATIENCE);
        eventually().until(() -> !starting.isAlive());
        assertThat(neli.isLeader()).isTrue();
        neli.close();
    }

    @Tag("proof") // waits for five seconds
    @Test
    void a_start_is_refused_while_a_listener_holds_up_the_close() {
        AtomicInteger inside = new AtomicInteger();
        LeaderListener slow = event -> {
            if (event instanceof LeaderRevoked && inside.incrementAndGet() == 1) {
                awaitUninterruptibly(release);
                inside.set(100);
            }
        };
        FakeNeli neli = started(leading(SHORT).listener(slow));
        CompletableFuture<Void> unused = CompletableFuture.runAsync(neli::close, threads);
        eventually().until(() -> inside.get() == 1);

        assertThatThrownBy(neli::start)
                .isInstanceOf(NeliException.class)
                .hasMessageContaining("a listener on thread 'neli-fake-events'");
        release.countDown();

        eventually().untilAsserted(() -> assertThatCode(neli::start).doesNotThrowAnyException());
        eventually().until(neli::isLeader);
        assertThat(inside).hasValue(100);
        end(neli);
    }

    /** A start would wait for its caller. */
    @Test
    void work_may_close_its_own_election_and_not_start_it() {
        FakeNeli neli = leading(PATIENCE).start();
        CompletableFuture<Void> refused = CompletableFuture.runAsync(
                () -> {
                    LeaderWork work = neli.beginWork().orElseThrow();
                    neli.close();
                    assertThatIllegalStateException()
                            .isThrownBy(neli::start)
                            .withMessageContaining("call it on another thread");
                    work.close();
                },
                threads);

        assertThat(refused).succeedsWithin(PATIENCE);
        neli.start();
        assertThat(neli.isLeader()).isTrue();
        neli.close();
    }
}
