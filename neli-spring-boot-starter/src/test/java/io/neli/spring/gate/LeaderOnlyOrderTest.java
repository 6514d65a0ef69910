package io.neli.spring.gate;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.neli.NotLeaderException;
import io.neli.spring.LeaderOnly;
import io.neli.spring.StubNeli;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.task.support.TaskExecutorAdapter;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

import static io.neli.spring.LeaderOnly.Otherwise.THROW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** The order of a bean's advice, as docs/leader-only.md describes it. */
class LeaderOnlyOrderTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final StubNeli neli = StubNeli.leading();
    private final GatedContext gated = new GatedContext(neli);

    @AfterEach
    void close() {
        gated.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_transaction_commits_before_the_work_counts_as_ended(boolean proxyTargetClass) {
        gated.with(proxyTargetClass ? ClassTransactions.class : InterfaceTransactions.class);
        gated.start(TransactionalJob.class, proxyTargetClass);

        gated.context.getBean(Job.class).work();

        assertThat(neli.calls).containsExactly("begin", "transaction", "work", "commit", "end");
    }

    @Test
    void a_transaction_is_rolled_back_before_the_work_counts_as_ended() {
        gated.with(ClassTransactions.class);
        TransactionalJob job = gated.start(TransactionalJob.class);

        assertThatThrownBy(job::fail).hasMessage("broken");

        assertThat(neli.calls).containsExactly("begin", "transaction", "rollback", "end");
    }

    @Test
    void a_skipped_call_begins_no_transaction() {
        neli.lead(false);
        gated.with(ClassTransactions.class);

        gated.start(TransactionalJob.class).work();

        assertThat(neli.calls).containsExactly("refuse");
    }

    @Test
    void a_skipped_call_is_not_cached_and_no_standby_serves_from_the_cache() {
        neli.lead(false);
        gated.with(Caching.class);
        CachedJob job = gated.start(CachedJob.class);
        assertThat(job.value()).isEmpty();

        neli.lead(true);
        assertThat(job.value()).hasValue(1);
        assertThat(job.value()).as("from the cache").hasValue(1);

        neli.lead(false);
        assertThat(job.value()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(classes = {AsyncSetup.class, AsyncFirst.class, AsyncInside.class})
    void leadership_is_checked_on_the_thread_that_does_asynchronous_work(Class<?> setup) {
        gated.with(setup);
        AsyncJob job = gated.start(AsyncJob.class);

        assertThat(job.work()).succeedsWithin(PATIENCE).isEqualTo("done");
        assertThat(neli.calls).containsExactly("submit", "begin", "work", "detach", "end");
    }

    @Test
    void an_asynchronous_call_that_throws_elsewhere_fails_its_future() {
        neli.lead(false);
        gated.with(AsyncSetup.class);
        AsyncJob job = gated.start(AsyncJob.class);

        assertThat(job.throwing())
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withCauseInstanceOf(NotLeaderException.class);
    }

    @ParameterizedTest
    @ValueSource(classes = {RetrySetup.class, RetryFirst.class})
    void an_attempt_is_not_repeated_where_this_member_no_longer_leads(Class<?> setup) {
        gated.with(setup);

        gated.start(RetriedJob.class).work();

        assertThat(neli.calls).containsExactly("begin", "attempt", "end", "refuse");
    }

    @Test
    void a_call_that_throws_elsewhere_is_retried_until_this_member_leads_unless_that_is_excluded() {
        neli.lead(false);
        gated.with(RetrySetup.class);
        RetriedJob job = gated.start(RetriedJob.class);

        assertThatThrownBy(job::throwing).isInstanceOf(NotLeaderException.class);
        assertThat(neli.calls).containsExactly("refuse", "refuse", "refuse");
        neli.calls.clear();

        assertThatThrownBy(job::throwingAtOnce).isInstanceOf(NotLeaderException.class);
        assertThat(neli.calls).containsExactly("refuse");
    }

    @Test
    void a_scheduled_job_is_skipped_on_a_standby_and_runs_on_a_leader() {
        neli.lead(false);
        gated.with(SchedulingSetup.class);
        ScheduledJob job = gated.start(ScheduledJob.class);

        await().atMost(PATIENCE).until(() -> neli.calls.size() >= 2);
        assertThat(neli.calls).containsOnly("refuse");
        assertThat(job.hasRun()).isFalse();

        neli.lead(true);
        await().atMost(PATIENCE).until(job::hasRun);
    }

    @Test
    void observed_scheduled_jobs_do_not_bypass_the_check() {
        neli.lead(false);
        gated.with(ObservedSchedulingSetup.class);
        ScheduledJob job = gated.start(ScheduledJob.class);
        AtomicInteger observed = gated.context.getBean(AtomicInteger.class);

        await().atMost(PATIENCE).until(() -> observed.get() >= 2);
        await().atMost(PATIENCE).until(() -> !neli.calls.isEmpty());
        assertThat(neli.calls).containsOnly("refuse");
        assertThat(job.hasRun()).isFalse();
    }

    interface Job {

        void work();
    }

    static class TransactionalJob implements Job {

        private final StubNeli neli;

        TransactionalJob(StubNeli neli) {
            this.neli = neli;
        }

        @Override
        @LeaderOnly
        @Transactional
        public void work() {
            neli.calls.add("work");
        }

        @Transactional
        @LeaderOnly
        void fail() {
            throw new IllegalStateException("broken");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class ClassTransactions {

        @Bean
        PlatformTransactionManager transactionManager(StubNeli neli) {
            return new RecordingTransactionManager(neli);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class InterfaceTransactions extends ClassTransactions {}

    static final class RecordingTransactionManager extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        private final transient StubNeli neli;

        RecordingTransactionManager(StubNeli neli) {
            this.neli = neli;
        }

        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            neli.calls.add("transaction");
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            neli.calls.add("commit");
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            neli.calls.add("rollback");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching(proxyTargetClass = true)
    static class Caching {

        @Bean
        CacheManager cacheManager() {
            return new ConcurrentMapCacheManager();
        }
    }

    static class CachedJob {

        private int calls;

        @Cacheable("values")
        @LeaderOnly
        public Optional<Integer> value() {
            return Optional.of(++calls);
        }
    }

    abstract static class Submitting {

        @Bean
        Executor taskExecutor(StubNeli neli) {
            return new TaskExecutorAdapter(task -> {
                neli.calls.add("submit");
                new Thread(task).start();
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(proxyTargetClass = true)
    static class AsyncSetup extends Submitting {}

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(proxyTargetClass = true, order = Ordered.HIGHEST_PRECEDENCE)
    static class AsyncFirst extends Submitting {}

    /** The bean has a proxy around the one of {@code @Async}. */
    @Configuration(proxyBeanMethods = false)
    @EnableAsync(proxyTargetClass = true, order = Ordered.HIGHEST_PRECEDENCE)
    static class AsyncInside extends Submitting {

        @Bean
        static BeanNameAutoProxyCreator proxies() {
            BeanNameAutoProxyCreator proxies = new BeanNameAutoProxyCreator();
            proxies.setBeanNames("bean");
            proxies.setProxyTargetClass(true);
            proxies.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
            return proxies;
        }
    }

    static class AsyncJob {

        private final StubNeli neli;

        AsyncJob(StubNeli neli) {
            this.neli = neli;
        }

        @Async
        @LeaderOnly
        public CompletableFuture<String> work() {
            neli.calls.add("work");
            return CompletableFuture.completedFuture("done");
        }

        @Async
        @LeaderOnly(otherwise = THROW)
        public CompletableFuture<String> throwing() {
            return CompletableFuture.completedFuture("done");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods
    static class RetrySetup {}

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods(proxyTargetClass = true, order = Ordered.HIGHEST_PRECEDENCE)
    static class RetryFirst {}

    static class RetriedJob {

        private final StubNeli neli;

        RetriedJob(StubNeli neli) {
            this.neli = neli;
        }

        @Retryable(delay = 1)
        @LeaderOnly
        public void work() {
            neli.calls.add("attempt");
            neli.lead(false);
            throw new IllegalStateException("fenced");
        }

        @Retryable(delay = 1, maxRetries = 2)
        @LeaderOnly(otherwise = THROW)
        public void throwing() {}

        @Retryable(delay = 1, maxRetries = 2, excludes = NotLeaderException.class)
        @LeaderOnly(otherwise = THROW)
        public void throwingAtOnce() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class SchedulingSetup {}

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class ObservedSchedulingSetup {

        @Bean
        AtomicInteger observed() {
            return new AtomicInteger();
        }

        @Bean
        SchedulingConfigurer observation(AtomicInteger observed) {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(new ObservationHandler<>() {
                @Override
                public void onStart(Observation.Context context) {
                    observed.incrementAndGet();
                }

                @Override
                public boolean supportsContext(Observation.Context context) {
                    return true;
                }
            });
            return tasks -> tasks.setObservationRegistry(registry);
        }
    }

    static class ScheduledJob {

        private final AtomicBoolean ran = new AtomicBoolean();

        @Scheduled(fixedDelay = 1)
        @LeaderOnly
        void tick() {
            ran.set(true);
        }

        boolean hasRun() {
            return ran.get();
        }
    }
}
