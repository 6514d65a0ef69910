package io.neli.spring;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.NeliException;
import io.neli.NotLeaderException;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.NoProducerAvailableException;

/**
 * A {@link KafkaTemplate} for the leader of a role, which {@link LeaderKafkaTemplates} makes: the broker refuses its transactions
 * once another member leads. The last send of a zombie, a leader that was suspended and does not know that its term is over,
 * fails instead of being written.
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
 * <p>Thread-safe. In {@link io.neli.Mode#NON_EXCLUSIVE} the later leader fences the earlier.
 */
public class LeaderKafkaTemplate<K, V extends @Nullable Object> extends KafkaTemplate<K, V> {

    private final LeaderProducerFactory<K, V> producers;

    LeaderKafkaTemplate(LeaderProducerFactory<K, V> producers) {
        super(producers);
        super.setBeanName(producers.role()); // in metrics
        this.producers = producers;
    }

    LeaderProducerFactory<K, V> producers() {
        return producers;
    }

    /** Not supported: with such a bean Boot's own template backs off, and all others that send are given this one. */
    @Override
    public void setBeanName(String name) {
        throw new NeliException(
                "bean '" + name + "' is a LeaderKafkaTemplate, which others would be given as the KafkaTemplate",
                "define no bean: inject LeaderKafkaTemplates where it is used, and call forRole there");
    }

    @Override
    public void destroy() {
        super.destroy();
        producers.reset();
    }
}
