package io.neli.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.neli.NotLeaderException;
import org.aopalliance.intercept.MethodInterceptor;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.NameMatchMethodPointcutAdvisor;
import org.springframework.context.ApplicationContext;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.DefaultTransactionIdSuffixStrategy;
import org.springframework.kafka.core.NoProducerAvailableException;
import org.springframework.kafka.core.ProducerFactory;

/**
 * The producers of one term: one for each transactional id of the role, kept by spring-kafka's own factory, which also
 * replaces one that has failed.
 */
final class TermProducers<K, V extends @Nullable Object> {

    /** Kafka itself gives up sooner, by {@code max.block.ms}, unless that was raised. */
    private static final Duration PREPARE_LIMIT = Duration.ofMinutes(2);

    private final Runnable requireLed;
    private final String role;
    private final long token;
    private final int transactions;
    private final DefaultKafkaProducerFactory<K, V> producers;
    private final CompletableFuture<Void> prepared = new CompletableFuture<>();
    private volatile boolean draining;

    TermProducers(
            ProducerFactory<K, V> source,
            Runnable requireLed,
            String role,
            long token,
            String transactionalId,
            int transactions,
            @Nullable ApplicationContext context) {
        this.requireLed = requireLed;
        this.role = role;
        this.token = token;
        this.transactions = transactions;
        this.producers = (DefaultKafkaProducerFactory<K, V>)
                source.copyWithConfigurationOverride(Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId));
        producers.setTransactionIdSuffixStrategy(new DefaultTransactionIdSuffixStrategy(transactions));
        producers.addPostProcessor(this::guarded);
        if (context != null) {
            producers.setApplicationContext(context);
        }
    }

    long token() {
        return token;
    }

    boolean isDraining() {
        return draining;
    }

    /** The term is revoked: running work may continue with the existing producers. */
    void drain() {
        draining = true;
    }

    /** The term is over. */
    void end() {
        draining = false;
    }

    /** Fences every member that has used the transactional ids before. */
    void prepare() {
        List<Producer<K, V>> all = new ArrayList<>();
        try {
            for (int transaction = 0; transaction < transactions; transaction++) {
                all.add(create());
            }
            prepared.complete(null);
        } catch (RuntimeException | Error e) {
            prepared.completeExceptionally(e);
            throw e;
        } finally {
            all.forEach(Producer::close); // keeps it for later
        }
    }

    /** Another thread may be preparing: the first one that saw the term. */
    void awaitPrepared() {
        try {
            prepared.get(PREPARE_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new KafkaException("The producers of role '" + role + "' were not prepared", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("Interrupted before the producers of role '" + role + "' were prepared", e);
        }
    }

    Producer<K, V> take() {
        if (!prepared.isDone()) {
            throw new IllegalStateException(
                    "Role '" + role + "' is led, but its producers are still being prepared: send"
                            + " within @LeaderOnly or other work, which begins when they are ready");
        }
        return create();
    }

    private Producer<K, V> create() {
        try {
            return producers.createProducer();
        } catch (NoProducerAvailableException e) {
            throw new NoProducerAvailableException(
                    "Role '" + role + "' has " + transactions
                            + " open transactions, which is the limit: let one end first, or"
                            + " pass a larger number to forRole, the same on all members",
                    e.getTxIdPrefix());
        } catch (KafkaException e) {
            if (e.getCause() instanceof NotLeaderException notLeader) {
                throw notLeader;
            }
            throw e;
        }
    }

    /** Closes the producers that are not in use, and the others when they are returned; later ones are new. */
    void close() {
        producers.destroy();
    }

    /** On any other member than the leader, {@code initTransactions} would fence the leader. */
    private Producer<K, V> guarded(Producer<K, V> producer) {
        MethodInterceptor guard = invocation -> {
            requireLed.run();
            Object initialized = invocation.proceed();
            requireLed.run(); // checked after it: a later leader initializes later
            return initialized;
        };
        NameMatchMethodPointcutAdvisor advisor = new NameMatchMethodPointcutAdvisor(guard);
        advisor.setMappedName("initTransactions");
        ProxyFactory proxy = new ProxyFactory(producer);
        proxy.addAdvisor(advisor);
        @SuppressWarnings("unchecked")
        Producer<K, V> guarded = (Producer<K, V>) proxy.getProxy();
        return guarded;
    }
}
