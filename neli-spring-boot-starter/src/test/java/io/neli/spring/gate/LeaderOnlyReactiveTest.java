package io.neli.spring.gate;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.Leadership;
import io.neli.NotLeaderException;
import io.neli.spring.LeaderOnly;
import io.neli.spring.StubNeli;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import static io.neli.spring.LeaderOnly.Otherwise.THROW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class LeaderOnlyReactiveTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final StubNeli neli = StubNeli.leading();
    private final GatedContext gated = new GatedContext(neli);

    @AfterEach
    void close() {
        gated.close();
    }

    @Test
    void the_method_is_called_and_leadership_checked_at_each_subscription() {
        Job job = gated.start(Job.class);
        Mono<Integer> mono = job.mono();
        assertThat(neli.calls).isEmpty();

        StepVerifier.create(mono).expectNext(1).expectComplete().verify(PATIENCE);
        StepVerifier.create(mono).expectNext(2).expectComplete().verify(PATIENCE);

        assertThat(neli.calls).containsExactly("begin", "detach", "end", "begin", "detach", "end");
    }

    @Test
    void it_counts_as_running_until_it_terminates() {
        Job job = gated.start(Job.class);
        StepVerifier.create(job.flux())
                .then(() -> job.source().next("one", "two"))
                .expectNext("one", "two")
                .then(() -> assertThat(neli.calls).containsExactly("begin", "detach"))
                .then(() -> job.source().complete())
                .expectComplete()
                .verify(PATIENCE);
        assertThat(neli.calls).containsExactly("begin", "detach", "end");
    }

    @Test
    void it_counts_as_running_until_it_fails_or_is_cancelled() {
        Job job = gated.start(Job.class);
        StepVerifier.create(job.flux())
                .then(() -> job.source().error(new IllegalStateException("broken")))
                .expectErrorMessage("broken")
                .verify(PATIENCE);
        assertThat(neli.calls).containsExactly("begin", "detach", "end");

        StepVerifier.create(job.never()).thenCancel().verify(PATIENCE);

        assertThat(neli.calls).containsExactly("begin", "detach", "end", "begin", "detach", "end");
    }

    @Test
    void a_fence_cancels_it_and_signals_the_subscriber() {
        Job job = gated.start(Job.class);
        StepVerifier.create(job.flux())
                .then(() -> job.source().next("one"))
                .expectNext("one")
                .then(neli::fence)
                .expectErrorSatisfies(LeaderOnlyReactiveTest::isNotLeader)
                .verify(PATIENCE);
        job.source().assertCancelled();

        neli.lead(true);
        StepVerifier.create(job.never())
                .then(neli::fence)
                .expectErrorSatisfies(LeaderOnlyReactiveTest::isNotLeader)
                .verify(PATIENCE);
        assertThat(neli.calls).containsExactly("begin", "detach", "end", "begin", "detach", "end");
    }

    private static void isNotLeader(Throwable failure) {
        assertThat(failure).isInstanceOf(NotLeaderException.class).hasMessageContaining("role 'default'");
    }

    @Test
    void a_subscription_on_a_standby_is_empty() {
        neli.lead(false);
        Job job = gated.start(Job.class);
        StepVerifier.create(job.mono()).expectComplete().verify(PATIENCE);
        StepVerifier.create(job.flux()).expectComplete().verify(PATIENCE);
        StepVerifier.create(JdkFlowAdapter.flowPublisherToFlux(job.flow()))
                .expectComplete()
                .verify(PATIENCE);
        assertThat(neli.calls).containsOnly("refuse");
    }

    @Test
    void a_subscription_on_a_standby_fails_with_otherwise_throw() {
        neli.lead(false);
        Job job = gated.start(Job.class);
        Mono<String> mono = job.throwing();
        StepVerifier.create(mono)
                .expectErrorSatisfies(LeaderOnlyReactiveTest::isNotLeader)
                .verify(PATIENCE);
    }

    @Test
    void what_the_method_throws_reaches_the_subscriber_and_the_work_has_ended() throws Exception {
        Job job = gated.start(Job.class);
        StepVerifier.create(job.fails()).expectErrorMessage("broken").verify(PATIENCE);
        assertThat(neli.calls).containsExactly("begin", "end");
    }

    @Test
    void the_term_is_in_the_context_of_the_subscription() {
        Job job = gated.start(Job.class);
        StepVerifier.create(job.token())
                .expectNext(StubNeli.TOKEN)
                .expectComplete()
                .verify(PATIENCE);
        StepVerifier.create(JdkFlowAdapter.flowPublisherToFlux(job.flow()))
                .expectNext("flow")
                .expectComplete()
                .verify(PATIENCE);
    }

    @Test
    void leadership_is_checked_at_each_run_of_a_scheduled_publisher() {
        neli.lead(false);
        gated.with(Scheduling.class);
        ScheduledJob job = gated.start(ScheduledJob.class);
        await().atMost(PATIENCE).until(() -> neli.calls.size() >= 2);
        assertThat(neli.calls).containsOnly("refuse");
        assertThat(job.runs()).isZero();

        neli.lead(true);

        await().atMost(PATIENCE).until(() -> job.runs() >= 2);
    }

    static class Job {

        private final AtomicInteger calls = new AtomicInteger();
        private final TestPublisher<String> source = TestPublisher.create();

        @LeaderOnly
        public Mono<Integer> mono() {
            return Mono.just(calls.incrementAndGet());
        }

        @LeaderOnly
        public Flux<String> flux() {
            return source.flux();
        }

        @LeaderOnly
        public Mono<String> never() {
            return Mono.never();
        }

        @LeaderOnly
        public Flow.Publisher<String> flow() {
            return JdkFlowAdapter.publisherToFlowPublisher(Flux.just("flow"));
        }

        @LeaderOnly(otherwise = THROW)
        public Mono<String> throwing() {
            return Mono.just("ran");
        }

        @LeaderOnly
        public Mono<String> fails() throws Exception {
            throw new IOException("broken");
        }

        @LeaderOnly
        public Mono<Long> token() {
            return Mono.deferContextual(
                    context -> Mono.just(context.get(Leadership.class).token()));
        }

        public TestPublisher<String> source() {
            return source;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    static class ScheduledJob {

        private final AtomicInteger runs = new AtomicInteger();

        @Scheduled(fixedDelay = 1)
        @LeaderOnly
        public Mono<Integer> run() {
            return Mono.fromCallable(runs::incrementAndGet);
        }

        public int runs() {
            return runs.get();
        }
    }
}
