package io.neli.spring;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderListener;
import io.neli.Neli;
import io.neli.NotLeaderException;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.ContextStoppedEvent;
import org.springframework.core.Ordered;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.NoProducerAvailableException;
import org.springframework.kafka.core.ProducerFactory;

/**
 * A {@link KafkaTemplate} for the leader of a role: the broker refuses its transactions once another member leads. The last
 * send of a zombie, a leader that was suspended and does not know that its term is over, fails instead of being written.
 *
 * <pre>{@code
 * @Bean
 * LeaderKafkaTemplate<String, String> invoices(ProducerFactory<String, String> producers, Neli neli) {
 *     return new LeaderKafkaTemplate<>(producers, neli, "invoices");
 * }
 * }</pre>
 *
 * <p>It only sends in transactions, by {@link #executeInTransaction} or by {@code @Transactional} with a
 * {@link org.springframework.kafka.transaction.KafkaTransactionManager} on its producer factory. Consumers that must not see a
 * zombie's records read with {@code isolation.level=read_committed}.
 *
 * <p><b>Why it is safe.</b> The members of a group share the transactional ids of a role, {@code <group id>-<role>-0} and so
 * on. A producer is used only if this member was seen to lead after the {@code initTransactions} of that producer. The next
 * leader calls {@code initTransactions} later, on {@link LeaderAcquired} before its work begins, so the broker fences the former
 * producer and aborts its open transaction. A member that does not lead never calls {@code initTransactions}, which would fence
 * the leader. A call that is in progress when leadership is lost may reach the broker late, and costs the next leader at most
 * one transaction.
 *
 * <ul>
 *   <li>A transaction that begins without leadership gets a {@link NotLeaderException}. In a handover, from
 *       {@link LeaderRevoked} on, running work may begin others until another member leads.
 *   <li>After {@link LeaderFenced}, or where another leads, an open transaction fails in {@code send} or at its commit, with
 *       Kafka's {@link org.apache.kafka.common.errors.ProducerFencedException} or
 *       {@link org.apache.kafka.common.errors.InvalidProducerEpochException} as a cause.
 *   <li>A member whose broker does not let it prepare on {@link LeaderAcquired} resigns.
 *   <li>As many transactions as there are transactional ids, by default one, may be open at a time; another one gets a
 *       {@link NoProducerAvailableException} at once.
 * </ul>
 *
 * <p>As a bean it is notified before the other listeners. To an election of your own, add it as a listener. Thread-safe. In
 * {@link io.neli.Mode#NON_EXCLUSIVE} the later leader fences the earlier.
 */
public class LeaderKafkaTemplate<K, V extends @Nullable Object> extends KafkaTemplate<K, V>
        implements LeaderListener, Ordered {

    private final LeaderProducerFactory<K, V> producers;

    /**
     * A template for one transaction at a time.
     *
     * @param producerFactory whose properties, serializers and listeners its own producers have; a
     *     {@link org.springframework.kafka.core.DefaultKafkaProducerFactory}
     * @param election need not be started yet
     * @param role the role that must be led
     */
    public LeaderKafkaTemplate(ProducerFactory<K, V> producerFactory, Neli election, String role) {
        this(producerFactory, election, role, 1);
    }

    /**
     * A template for several transactions at a time.
     *
     * @param producerFactory whose properties, serializers and listeners its own producers have; a
     *     {@link org.springframework.kafka.core.DefaultKafkaProducerFactory}
     * @param election need not be started yet
     * @param role the role that must be led
     * @param transactions how many transactions may be open at a time, the same on all members: a leader that has
     *     fewer does not fence the others of a former one
     */
    public LeaderKafkaTemplate(ProducerFactory<K, V> producerFactory, Neli election, String role, int transactions) {
        this(new LeaderProducerFactory<>(producerFactory, election, role, transactions));
    }

    private LeaderKafkaTemplate(LeaderProducerFactory<K, V> producers) {
        super(producers);
        this.producers = producers;
    }

    @Override
    public void onEvent(LeaderEvent event) {
        producers.onEvent(event);
    }

    /** Before all others: they may send. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public void setApplicationContext(ApplicationContext applicationContext) {
        super.setApplicationContext(applicationContext);
        producers.setApplicationContext(applicationContext);
    }

    /** Not supported: the prefix is that of the role. */
    @Override
    public void setTransactionIdPrefix(String transactionIdPrefix) {
        throw producers.ownPrefix(transactionIdPrefix);
    }

    /** Not supported: without a transaction, nothing would fence a send. */
    @Override
    public void setAllowNonTransactional(boolean allowNonTransactional) {
        if (allowNonTransactional) {
            producers.createNonTransactionalProducer();
        }
    }

    @Override
    public void onApplicationEvent(ContextStoppedEvent event) {
        super.onApplicationEvent(event);
        producers.stopped(event.getApplicationContext());
    }

    @Override
    public void destroy() {
        super.destroy();
        producers.reset();
    }
}
