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
 * Makes the {@link LeaderKafkaTemplate} of each role: inject it where the template is used, and call {@link
 * #forRole(String)} there. Its templates are no beans, so that the application's {@code KafkaTemplate} stays what it
 * is.
 *
 * <p>Spring Boot applications have one as a bean. {@code spring.kafka.template.*} applies to its templates, except for
 * transaction id prefix and sends without a transaction, and so do the beans that Boot gives its own template. A bean
 * is notified before the other listeners, which may send; to an election of your own, add it as a listener.
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

    /** Of the brokers' transactions; null before the first term. */
    final AtomicReference<@Nullable Thread> versionCheck = new AtomicReference<>();

    /**
     * Makes no template yet.
     *
     * @param producerFactory whose properties, serializers and listeners the templates' own producers have; a
     *     {@link DefaultKafkaProducerFactory}
     * @param election need not be started yet
     * @param settings applied to each template
     */
    public LeaderKafkaTemplates(
            ProducerFactory<K, V> producerFactory,
            Neli election,
            Consumer<? super LeaderKafkaTemplate<K, V>> settings) {
        this.producerFactory = producerFactory;
        this.election = election;
        this.settings = settings;
    }

    /** The template of a role for one transaction at a time; the same for all callers. */
    public LeaderKafkaTemplate<K, V> forRole(String role) {
        return forRole(role, 1);
    }

    /**
     * The template of a role for several transactions at a time; the same for all callers.
     *
     * @param transactions how many transactions may be open at a time, the same on all members: a leader that has
     *     fewer does not fence the others of a former one
     * @throws NeliException if it cannot be made, or there is one for another number already
     */
    public LeaderKafkaTemplate<K, V> forRole(String role, int transactions) {
        LeaderKafkaTemplate<K, V> found = templates.computeIfAbsent(role, named -> make(named, transactions));
        int already = found.producers.transactions;
        if (already != transactions) { // it would use the same transactional ids
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
        election.partitionOf(role); // refuses an unknown role, for which each event would fail
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

    /** Once, and on a thread of its own: the leader's work does not wait for it. */
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
        if (event.getApplicationContext() == context) { // not that of a child
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
