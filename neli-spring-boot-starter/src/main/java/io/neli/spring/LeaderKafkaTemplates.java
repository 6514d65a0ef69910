package io.neli.spring;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderListener;
import io.neli.Neli;
import io.neli.NeliException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextStoppedEvent;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.ProducerFactory;

/**
 * Creates and keeps the {@link LeaderKafkaTemplate} of each role: inject this bean where a template is used, and call
 * {@link #forRole(String)} there. The templates are not beans, so they do not replace the application's {@code
 * KafkaTemplate}.
 *
 * <p>Spring Boot applications have a bean of this type. Its templates use {@code spring.kafka.template.*}, except for
 * transaction id prefix and sends without a transaction, and the same beans as Boot's own template. The bean is
 * notified before the other listeners, so they can send. Without Boot, add it to the election as a listener.
 * Thread-safe.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
public class LeaderKafkaTemplates<K, V extends @Nullable Object>
        implements LeaderListener, ApplicationContextAware, ApplicationListener<ContextStoppedEvent>, DisposableBean {

    private static final long JOIN_MILLIS = 1_000;

    private final ProducerFactory<K, V> producerFactory;
    private final Neli election;
    private final Consumer<? super LeaderKafkaTemplate<K, V>> settings;
    private final Map<String, LeaderKafkaTemplate<K, V>> templates = new ConcurrentHashMap<>();
    private volatile @Nullable ApplicationContext context;

    /** The thread that checks the brokers' transaction version; null until it is started in the first term. */
    final AtomicReference<@Nullable Thread> versionCheck = new AtomicReference<>();

    /**
     * Creates no template yet.
     *
     * @param producerFactory a {@link DefaultKafkaProducerFactory}; the templates' producers copy its properties,
     *     serializers and listeners
     * @param election the election, which need not be started yet
     * @param settings called for each new template
     */
    public LeaderKafkaTemplates(
            ProducerFactory<K, V> producerFactory,
            Neli election,
            Consumer<? super LeaderKafkaTemplate<K, V>> settings) {
        this.producerFactory = producerFactory;
        this.election = election;
        this.settings = settings;
    }

    /** Returns the template of a role, for one transaction at a time. All callers get the same one. */
    public LeaderKafkaTemplate<K, V> forRole(String role) {
        return forRole(role, 1);
    }

    /**
     * Returns the template of a role, for several transactions at a time. All callers get the same one.
     *
     * @param transactions how many transactions may be open at a time; the same number on all members, because a leader
     *     with fewer does not fence all transactions of its predecessor
     * @throws NeliException if the template cannot be created, or exists with another number of transactions
     */
    public LeaderKafkaTemplate<K, V> forRole(String role, int transactions) {
        LeaderKafkaTemplate<K, V> found = templates.computeIfAbsent(role, named -> make(named, transactions));
        int already = found.producers.transactions;
        if (already != transactions) { // both would use the same transactional ids
            throw new NeliException(
                    "role '" + role + "' has a LeaderKafkaTemplate for " + already
                            + " transactions at a time, and one for " + transactions + " is asked for",
                    "pass the same number to each call of forRole");
        }
        return found;
    }

    private LeaderKafkaTemplate<K, V> make(String role, int transactions) {
        if (role.isBlank() || transactions < 1) {
            throw new NeliException(
                    "the role of a LeaderKafkaTemplate is '" + role + "' and its number of transactions is "
                            + transactions,
                    "pass a role, such as '" + Neli.DEFAULT_ROLE + "', and at least 1 transaction to forRole");
        }
        election.partitionOf(role); // throws for an unknown role, with which onEvent would always fail
        if (!(producerFactory instanceof DefaultKafkaProducerFactory)) {
            throw new NeliException(
                    "the producer factory of LeaderKafkaTemplates is a "
                            + producerFactory.getClass().getName(),
                    "hand it a DefaultKafkaProducerFactory, whose properties it uses");
        }
        ApplicationContext current = context;
        LeaderKafkaTemplate<K, V> template = new LeaderKafkaTemplate<>(
                new LeaderProducerFactory<>(producerFactory, election, role, transactions, current));
        settings.accept(template);
        if (current != null) {
            template.setApplicationContext(current);
            template.afterSingletonsInstantiated();
        }
        return template;
    }

    @Override
    public void onEvent(LeaderEvent event) {
        templates.values().forEach(template -> template.producers.onEvent(event));
        if (event instanceof LeaderAcquired && !templates.isEmpty()) {
            checkTransactionVersion();
        }
    }

    /** Runs the check once, on its own thread, so that the leader's work does not wait for it. */
    private void checkTransactionVersion() {
        Map<String, Object> properties = producerFactory.getConfigurationProperties();
        Thread check = new Thread(() -> TransactionVersion.check(properties), "neli-transaction-version");
        check.setDaemon(true);
        if (versionCheck.compareAndSet(null, check)) {
            check.start();
        }
    }

    @Override
    public void setApplicationContext(ApplicationContext applicationContext) {
        context = applicationContext;
    }

    @Override
    public void onApplicationEvent(ContextStoppedEvent event) {
        if (event.getApplicationContext() == context) { // not that of a child context
            templates.values().forEach(template -> template.producers.reset());
        }
    }

    @Override
    public void destroy() throws InterruptedException {
        templates.values().forEach(LeaderKafkaTemplate::destroy);
        Thread check = versionCheck.get();
        if (check != null) {
            check.interrupt();
            check.join(JOIN_MILLIS);
        }
    }
}
