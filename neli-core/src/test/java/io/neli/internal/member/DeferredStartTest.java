package io.neli.internal.member;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.LeaderListener;
import io.neli.LeaderWork;
import io.neli.Mode;
import io.neli.Neli;
import io.neli.NeliException;
import io.neli.NeliMetrics;
import io.neli.NeliSnapshot;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DeferredStartTest {

    static MemberSettings settings(@Nullable Duration failFast, LeaderListener... listeners) {
        return new MemberSettings(
                "deferred",
                "group",
                "group.neli",
                1,
                true,
                0,
                new Roles(List.of(), 1),
                Map.of(),
                Mode.EXCLUSIVE,
                Duration.ofSeconds(3),
                Duration.ofMillis(500),
                PATIENCE,
                List.of(listeners),
                new NeliMetrics() {},
                true,
                null,
                null,
                failFast);
    }

    private static Neli leading(Duration failFast) {
        MemberSettings settings = settings(failFast);
        return new MemberNeli(settings, events -> new DisabledEngine(settings, true, events));
    }

    @Test
    void a_start_that_fails_fast_says_what_it_has_waited_for() {
        Neli neli = leading(Duration.ofMillis(50));
        neli.start();
        LeaderWork work = neli.beginWork().orElseThrow();
        work.detach(() -> {});
        neli.close();

        assertThatThrownBy(neli::start).isInstanceOfSatisfying(NeliException.class, failure -> {
            assertThat(failure.problem())
                    .contains(
                            "the previous start of this election has not ended: work in role 'default' that was"
                                    + " detached",
                            "neli.fail-fast is '50ms'");
            assertThat(failure.fix()).contains("let work and listeners end");
            assertThat(failure.problem()).doesNotContain(failure.fix());
        });
        assertThat(neli.snapshot().status()).isEqualTo(NeliSnapshot.Status.STOPPED);
        work.close();
        neli.start();
        assertThat(neli.isLeader()).isTrue();
        neli.close();
    }

    @Test
    void a_close_ends_a_start_that_waits() {
        Neli neli = leading(PATIENCE.multipliedBy(10));
        neli.start();
        LeaderWork work = neli.beginWork().orElseThrow();
        work.detach(() -> {});
        neli.close();
        CompletableFuture<Void> starting = CompletableFuture.runAsync(neli::start);
        eventually().until(() -> neli.snapshot().problem().orElse("").contains("previous start"));

        neli.close();

        assertThat(starting).succeedsWithin(PATIENCE);
        assertThat(neli.isLeader()).isFalse();
        work.close();
        assertThat(neli.isLeader()).isFalse();
    }

    private static final class ControlledStart {

        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch release = new CountDownLatch(1);
        final AtomicInteger closes = new AtomicInteger();
        final Neli neli;

        ControlledStart(boolean fails) {
            MemberSettings settings = settings(PATIENCE);
            this.neli = new MemberNeli(settings, events -> {
                Engine engine = new DisabledEngine(settings, false, events);
                return (Engine) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {Engine.class}, (proxy, method, arguments) -> {
                            if (method.getName().equals("start")) {
                                entered.countDown();
                                release.await();
                                if (fails) {
                                    throw new IllegalStateException("meant to fail");
                                }
                            } else if (method.getName().equals("close")) {
                                closes.incrementAndGet();
                            }
                            return method.invoke(engine, arguments);
                        });
            });
        }
    }

    @Test
    void an_engine_whose_start_outlasts_the_close_is_closed_when_it_has_started() {
        ControlledStart start = new ControlledStart(false);
        CompletableFuture<Void> starting = CompletableFuture.runAsync(start.neli::start);
        eventually().until(() -> start.entered.getCount() == 0);

        start.neli.close();
        assertThat(start.closes).hasValue(0);
        start.release.countDown();

        assertThat(starting).succeedsWithin(PATIENCE);
        assertThat(start.closes).hasValue(1);
    }

    @Test
    void an_engine_that_starts_is_closed_although_its_close_was_interrupted() {
        ControlledStart start = new ControlledStart(false);
        CompletableFuture<Void> starting = CompletableFuture.runAsync(start.neli::start);
        eventually().until(() -> start.entered.getCount() == 0);

        Thread.currentThread().interrupt();
        start.neli.close();
        assertThat(Thread.interrupted()).isTrue();
        start.release.countDown();

        assertThat(starting).succeedsWithin(PATIENCE);
        assertThat(start.closes).hasValue(1);
    }

    @Test
    void an_engine_whose_start_failed_is_closed() {
        ControlledStart start = new ControlledStart(true);
        start.release.countDown();
        assertThatThrownBy(start.neli::start).hasMessage("meant to fail");

        start.neli.close();

        assertThat(start.closes).hasValue(1);
    }
}
