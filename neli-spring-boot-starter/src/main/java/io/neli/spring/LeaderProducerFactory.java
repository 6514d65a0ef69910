package io.neli.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.Leadership;
import io.neli.Neli;
import io.neli.NeliSnapshot.Partition.State;
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

/** Creates the producers of a LeaderKafkaTemplate: new ones in each term, none without leadership. Thread-safe. */
final class LeaderProducerFactory<K, V extends @Nullable Object> implements ProducerFactory<K, V> {

    private static final long NONE = -1;

    /** Brokers refuse a producer whose id was not used for seven days (transactional.id.expiration.ms). */
    private static final Duration LONGEST_USE = Duration.ofDays(6);

    /** How long to wait for another thread that prepares. Kafka gives up earlier (max.block.ms), unless raised. */
    private static final Duration PREPARE_LIMIT = Duration.ofMinutes(2);

    private final ProducerFactory<K, V> source;
    private final Neli election;
    final String role;
    final int transactions;
    private final String transactionalId;
    private final @Nullable ApplicationContext context;
    private final AtomicReference<@Nullable Term<K, V>> term = new AtomicReference<>();

    LeaderProducerFactory(
            ProducerFactory<K, V> source,
            Neli election,
            String role,
            int transactions,
            @Nullable ApplicationContext context) {
        this.source = source;
        this.election = election;
        this.role = role;
        this.transactions = transactions;
        // A topic's name has no slash, nor has a group id that names the topic: no two groups share an id.
        this.transactionalId = election.snapshot().groupId() + "/" + role + "-";
        this.context = context;
    }

    /** The producers of one term. Those of an earlier term are not used again, and occupy no transactional id. */
    private record Term<K, V extends @Nullable Object>(
            long token, DefaultKafkaProducerFactory<K, V> producers, CompletableFuture<@Nullable Void> prepared) {}

    void onEvent(LeaderEvent event) {
        if (event instanceof LeaderAcquired && event.partition() == election.partitionOf(role)) {
            acquired(event.token());
        }
    }

    private void acquired(long token) {
        try {
            prepared(token);
        } catch (RuntimeException e) {
            if (isLed(token)) { // a leader without producers resigns; otherwise the next leader prepares
                throw new KafkaException("Role '" + role + "' has no producers: " + e.getMessage(), e);
            }
        }
    }

    /** The producers of the term. Prepares them, or waits while another thread does. */
    private Term<K, V> prepared(long token) {
        Term<K, V> begun = begin(token);
        try {
            begun.prepared.get(PREPARE_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
            return begun;
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            requireLed(token);
            throw new KafkaException("Another thread has not prepared the producers of role '" + role + "'", e);
        }
    }

    private Term<K, V> begin(long token) {
        Term<K, V> former = term.get();
        if (former != null && former.token == token) {
            return former;
        }
        requireLed(token); // a former leader must not replace the producers of a later term
        Term<K, V> begun = new Term<>(token, producers(token), new CompletableFuture<>());
        if (!term.compareAndSet(former, begun)) {
            return begin(token); // another thread was first
        }
        if (former != null) {
            former.producers.reset();
        }
        prepare(begun);
        return begun;
    }

    /** Creates a producer for each transactional id, which fences every member that has used it before. */
    private void prepare(Term<K, V> begun) {
        List<Producer<K, V>> all = new ArrayList<>();
        try {
            for (int transaction = 0; transaction < transactions; transaction++) {
                all.add(take(begun));
            }
        } catch (RuntimeException | Error e) {
            term.compareAndSet(begun, null);
            begun.producers.reset();
            begun.prepared.completeExceptionally(e);
            throw e;
        } finally {
            all.forEach(Producer::close); // returns it to the cache, or really closes it if that was reset
        }
        begun.prepared.complete(null);
    }

    private DefaultKafkaProducerFactory<K, V> producers(long token) {
        DefaultKafkaProducerFactory<K, V> producers = (DefaultKafkaProducerFactory<K, V>)
                source.copyWithConfigurationOverride(Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId));
        producers.setMaxAge(LONGEST_USE);
        producers.setTransactionIdSuffixStrategy(new DefaultTransactionIdSuffixStrategy(transactions));
        producers.addPostProcessor(producer -> guarded(producer, token));
        if (context != null) {
            producers.setApplicationContext(context);
        }
        return producers;
    }

    /** Guards {@code initTransactions}: called by a member that does not lead, it would fence the leader. */
    @SuppressWarnings("unchecked")
    private Producer<K, V> guarded(Producer<K, V> producer, long token) {
        NameMatchMethodPointcutAdvisor guard = new NameMatchMethodPointcutAdvisor((MethodInterceptor) invocation -> {
            requireLed(token);
            Object initialized = invocation.proceed();
            requireLed(token); // checked after it, so the next leader initializes later
            return initialized;
        });
        guard.setMappedName("initTransactions");
        ProxyFactory proxy = new ProxyFactory(producer);
        proxy.addAdvisor(guard);
        return (Producer<K, V>) proxy.getProxy();
    }

    private boolean isLed(long token) {
        return election.leadership(role).filter(led -> led.token() == token).isPresent();
    }

    private void requireLed(long token) {
        if (!isLed(token)) {
            throw new NotLeaderException(role, election.leader(role));
        }
    }

    @Override
    public Producer<K, V> createProducer() {
        long token = election.leadership(role).map(Leadership::token).orElseGet(this::drainingToken);
        return take(prepared(token)); // if another member leads in the drain, the broker refuses the transaction
    }

    /**
     * The token of the latest term while it is handed over, because its work may still use its producers; otherwise
     * {@link #NONE}. The event would come too late, after the listeners of other roles.
     */
    private long drainingToken() {
        int partition = election.partitionOf(role);
        boolean draining = election.snapshot().partitions().stream()
                .anyMatch(each -> each.partition() == partition && each.state() == State.DRAINING);
        Term<K, V> latest = term.get();
        return draining && latest != null ? latest.token : NONE;
    }

    private Producer<K, V> take(Term<K, V> current) {
        try {
            return current.producers.createProducer();
        } catch (NoProducerAvailableException e) {
            throw new NoProducerAvailableException(
                    "Role '" + role + "' has " + transactions + " open transactions, which is the limit: let one end"
                            + " first, or pass a larger number to forRole, the same on all members",
                    e.getTxIdPrefix());
        } catch (KafkaException e) {
            if (e.getCause() instanceof NotLeaderException notLeader) {
                throw notLeader;
            }
            throw e;
        }
    }

    @Override
    public Producer<K, V> createProducer(@Nullable String transactionIdPrefix) {
        if (transactionIdPrefix != null) {
            throw new UnsupportedOperationException("The transaction id prefix is '" + transactionIdPrefix
                    + "': a LeaderKafkaTemplate has its own, '" + transactionalId + "'; set none");
        }
        return createProducer();
    }

    @Override
    public Producer<K, V> createNonTransactionalProducer() {
        throw new UnsupportedOperationException(
                "A LeaderKafkaTemplate only sends in a transaction: without one, nothing would fence it");
    }

    @Override
    public boolean transactionCapable() {
        return true;
    }

    @Override
    public String getTransactionIdPrefix() {
        return transactionalId;
    }

    @Override
    public Map<String, Object> getConfigurationProperties() {
        return source.getConfigurationProperties();
    }

    /** Closes idle producers. Open transactions continue, and their ids are not used again before they have ended. */
    @Override
    public void reset() {
        Term<K, V> current = term.get();
        if (current != null) {
            current.producers.reset();
        }
    }
}
