package io.neli.spring;

import java.util.Map;
import java.util.Optional;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.Leadership;
import io.neli.Neli;
import io.neli.NeliException;
import io.neli.NotLeaderException;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.ProducerFactory;

/** Provides the producers of the current term, and none without leadership. Thread-safe. */
final class LeaderProducerFactory<K, V extends @Nullable Object> implements ProducerFactory<K, V> {

    private static final Logger log = LoggerFactory.getLogger(LeaderProducerFactory.class);

    private final ProducerFactory<K, V> source;
    private final Neli election;
    private final String role;
    private final String transactionalId;
    private final int transactions;
    private final @Nullable ApplicationContext context;
    private volatile @Nullable TermProducers<K, V> term;

    LeaderProducerFactory(
            ProducerFactory<K, V> source,
            Neli election,
            String role,
            int transactions,
            @Nullable ApplicationContext context) {
        if (!(source instanceof DefaultKafkaProducerFactory)) {
            throw new NeliException(
                    "the producer factory of LeaderKafkaTemplates is a "
                            + source.getClass().getName(),
                    "hand it a DefaultKafkaProducerFactory, whose properties it uses");
        }
        if (role.isBlank()) {
            throw new NeliException(
                    "the role of a LeaderKafkaTemplate is '" + role + "'",
                    "name one, such as '" + Neli.DEFAULT_ROLE + "'");
        }
        if (transactions < 1) {
            throw new NeliException(
                    "the number of transactions at a time is " + transactions + " for role '" + role + "'",
                    "pass at least 1 to forRole");
        }
        this.source = source;
        this.election = election;
        this.role = role;
        this.transactionalId = election.snapshot().groupId() + "-" + role + "-";
        this.transactions = transactions;
        this.context = context;
    }

    String role() {
        return role;
    }

    int transactions() {
        return transactions;
    }

    void onEvent(LeaderEvent event) {
        if (event.partition() != election.partitionOf(role)) {
            return;
        }
        if (event instanceof LeaderAcquired) {
            acquired(event.token());
            return;
        }
        TermProducers<K, V> current = term;
        if (current != null && current.token() == event.token()) {
            if (event instanceof LeaderRevoked) {
                current.drain();
            } else {
                current.end();
            }
        }
    }

    private void acquired(long token) {
        try {
            begin(token).awaitPrepared();
        } catch (RuntimeException e) {
            if (isLed(token)) { // this member cannot do what it should lead for
                throw e;
            }
            log.debug("Role '{}' was lost before its producers were prepared", role, e);
        }
    }

    private boolean isLed(long token) {
        return election.leadership(role).filter(led -> led.token() == token).isPresent();
    }

    /** Each term has its own producers, so those that an earlier term has left behind are fenced too. */
    private TermProducers<K, V> begin(long token) {
        TermProducers<K, V> begun;
        TermProducers<K, V> former;
        synchronized (this) {
            former = term;
            if (former != null && former.token() == token) {
                return former; // another role of the partition, or begun before the event
            }
            requireLed(token); // the producers of a later term must stay
            begun = new TermProducers<>(
                    source, () -> requireLed(token), role, token, transactionalId, transactions, context);
            term = begun;
        }
        if (former != null) {
            former.close();
        }
        try {
            begun.prepare();
        } catch (RuntimeException | Error e) {
            synchronized (this) {
                if (term == begun) {
                    term = null;
                }
            }
            begun.close();
            throw e;
        }
        return begun;
    }

    private void requireLed(long token) {
        if (!isLed(token)) {
            throw notLeader();
        }
    }

    private NotLeaderException notLeader() {
        return new NotLeaderException(role, election.leader(role));
    }

    @Override
    public Producer<K, V> createProducer() {
        Optional<Leadership> led = election.leadership(role);
        if (led.isPresent()) {
            return begin(led.get().token()).take();
        }
        TermProducers<K, V> current = term;
        if (current != null && current.isDraining()) {
            return current.take(); // if another leads by now, the broker refuses the transaction
        }
        throw notLeader();
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

    /** Open transactions continue: their ids are not used again before they have ended. */
    @Override
    public void reset() {
        TermProducers<K, V> current = term;
        if (current != null) {
            current.close();
        }
    }
}
