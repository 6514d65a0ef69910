package io.neli.spring;

import io.neli.NeliException;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.KafkaTemplate;

/**
 * A {@link KafkaTemplate} for the leader of a role, created by {@link LeaderKafkaTemplates}. It sends only in
 * transactions, by {@link #executeInTransaction} or by {@code @Transactional} with a {@link
 * org.springframework.kafka.transaction.KafkaTransactionManager} on its producer factory. Once another member leads,
 * the broker refuses these transactions. So if a former leader was suspended and sends without knowing that its term is
 * over, consumers with {@code isolation.level=read_committed} do not see the record.
 *
 * <p><b>Why it is safe.</b> The members of a group share a role's transactional ids, {@code <group id>/<role>-0}
 * and so on. A member uses a producer only if it still led after that producer's {@code initTransactions}. The next
 * leader calls {@code initTransactions} later, before its work begins, so the broker fences the former leader's
 * producer and aborts its open transaction. A member that does not lead never calls {@code initTransactions}, because
 * that would fence the leader.
 *
 * <p>Beginning a transaction throws a {@link io.neli.NotLeaderException} if this member does not lead, except while it
 * hands over, and a {@link org.springframework.kafka.core.NoProducerAvailableException} if every transactional id has
 * an open transaction. {@code docs/fencing.md} describes how a fenced send fails. In non-exclusive mode, a former
 * leader may still fence the next one until its lease is over. Thread-safe.
 */
public class LeaderKafkaTemplate<K, V extends @Nullable Object> extends KafkaTemplate<K, V> {

    final LeaderProducerFactory<K, V> producers;

    LeaderKafkaTemplate(LeaderProducerFactory<K, V> producers) {
        super(producers);
        super.setBeanName(producers.role); // shown in metrics
        this.producers = producers;
    }

    /** Not supported: with such a bean Boot would define no template of its own, and all senders would get this one. */
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
