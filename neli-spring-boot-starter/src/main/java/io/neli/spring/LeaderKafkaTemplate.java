package io.neli.spring;

import io.neli.NeliException;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.KafkaTemplate;

/**
 * A {@link KafkaTemplate} for the leader of a role, which {@link LeaderKafkaTemplates} makes. It only sends in
 * transactions, by {@link #executeInTransaction} or by {@code @Transactional} with a {@link
 * org.springframework.kafka.transaction.KafkaTransactionManager} on its producer factory. The broker refuses them once
 * another member leads, so the last send of a leader that was suspended and does not know that its term is over is not
 * seen by consumers with {@code isolation.level=read_committed}.
 *
 * <p><b>Why it is safe.</b> The members of a group share the transactional ids of a role, {@code
 * <group id>.neli.<role>-0} and so on. A producer is used only if this member was seen to lead after the {@code initTransactions} of that
 * producer. The next leader calls {@code initTransactions} later, before its work begins, so the broker fences the
 * former producer and aborts its open transaction. A member that does not lead never calls it, which would fence the
 * leader.
 *
 * <p>To begin a transaction throws a {@link io.neli.NotLeaderException} without leadership, except in a handover for
 * work that still runs, and a {@link org.springframework.kafka.core.NoProducerAvailableException} when as many are open
 * as there are transactional ids. {@code docs/fencing.md} says how a send fails that is fenced. Thread-safe.
 */
public class LeaderKafkaTemplate<K, V extends @Nullable Object> extends KafkaTemplate<K, V> {

    final LeaderProducerFactory<K, V> producers;

    LeaderKafkaTemplate(LeaderProducerFactory<K, V> producers) {
        super(producers);
        super.setBeanName(producers.role); // in metrics
        this.producers = producers;
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
