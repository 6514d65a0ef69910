package io.neli.spring.autoconfigure;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.neli.Leader;
import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderListener;
import io.neli.Neli;
import io.neli.NeliException;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Adds the listener beans to the election of this context, whoever built it. They are notified in their order; one of
 * them publishes the leadership events. The beans are looked up at the first event, so a listener may depend on the
 * election.
 */
final class LeaderListenerBeans implements BeanPostProcessor, SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;
    private final Supplier<List<LeaderListener>> listeners;
    private volatile boolean added;

    /**
     * Uses all {@link LeaderListener} beans, except those of a parent context that has its own election.
     *
     * @param all an injected provider, which leaves out the targets of scoped proxies
     */
    LeaderListenerBeans(ConfigurableListableBeanFactory beans, ObjectProvider<LeaderListener> all) {
        this.beans = beans;
        this.listeners = SingletonSupplier.of(() -> {
            Set<LeaderListener> parents = ofParentElection(beans);
            return all.orderedStream(ObjectProvider.UNFILTERED)
                    .filter(listener -> !parents.contains(listener))
                    .toList();
        });
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof Neli neli
                && (isDefined(beanName, BeanDefinition::isPrimary)
                        || candidates().equals(List.of(beanName)))) {
            listenTo(neli);
        }
        return bean;
    }

    private void listenTo(Neli neli) {
        added = true;
        neli.addListener(new All());
    }

    /** The names of the elections that can be injected without a qualifier. */
    private List<String> candidates() {
        List<String> all = Arrays.stream(beans.getBeanNamesForType(Neli.class, true, false))
                .filter(name -> !isDefined(name, bean -> !bean.isAutowireCandidate() || !bean.isDefaultCandidate()))
                .toList();
        List<String> regular = all.stream()
                .filter(name -> !isDefined(name, BeanDefinition::isFallback))
                .toList();
        return regular.isEmpty() ? all : regular;
    }

    private boolean isDefined(String name, Predicate<AbstractBeanDefinition> as) {
        return beans.containsBeanDefinition(name)
                && as.test((AbstractBeanDefinition) beans.getMergedBeanDefinition(name));
    }

    @Override
    public void afterSingletonsInstantiated() {
        try {
            Neli found = beans.getBeanProvider(Neli.class).getIfAvailable();
            // A bean that another post processor needs is created before this one is registered.
            if (!added && candidates().stream().anyMatch(name -> beans.getSingleton(name) == found)) {
                listenTo(Objects.requireNonNull(found));
            }
        } catch (NoUniqueBeanDefinitionException e) {
            throw new NeliException(
                    "there are several elections, the beans " + candidates()
                            + ", and none of them is the one that annotations, events and the actuator mean",
                    "mark that one as @Primary, or leave one bean and give it several roles (neli.roles)");
        }
    }

    private static Set<LeaderListener> ofParentElection(ListableBeanFactory beans) {
        Set<LeaderListener> found = Collections.newSetFromMap(new IdentityHashMap<>());
        if (beans instanceof HierarchicalBeanFactory child
                && child.getParentBeanFactory() instanceof ListableBeanFactory parent) {
            if (parent.getBeanNamesForType(Neli.class).length > 0) {
                parent.getBeanProvider(LeaderListener.class).forEach(found::add);
            } else {
                found.addAll(ofParentElection(parent));
            }
        }
        return found;
    }

    /** Calls the listeners, up to the first failure or all of them, and then throws the first failure. */
    private void callEach(Consumer<LeaderListener> call, boolean untilFailure) {
        Throwable first = null;
        for (LeaderListener listener : listeners.get()) {
            try {
                call.accept(listener);
            } catch (Throwable failure) { // may be a checked exception, from Kotlin
                if (first == null) {
                    first = failure;
                } else if (failure != first) {
                    first.addSuppressed(failure);
                }
                if (untilFailure) {
                    break;
                }
            } finally {
                Thread.interrupted(); // what a listener leaves behind is not meant for the next
            }
        }
        if (first != null) {
            ReflectionUtils.rethrowRuntimeException(first);
        }
    }

    /** Notifies all listener beans. It is not a bean, or it would be one of them. */
    private final class All implements LeaderListener {

        /**
         * On {@link LeaderAcquired} the first failure ends the calls: later listeners rely on what earlier ones
         * prepare. Other events reach every listener, because each may have something to stop.
         */
        @Override
        public void onEvent(LeaderEvent event) {
            callEach(listener -> listener.onEvent(event), event instanceof LeaderAcquired);
        }

        @Override
        public void onLeaderChanged(String role, Optional<Leader> leader) {
            callEach(listener -> listener.onLeaderChanged(role, leader), false);
        }
    }
}
