package io.neli.spring.autoconfigure;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderListener;
import io.neli.Neli;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Notifies the listener beans in their order, of which one publishes the leadership events: for the builder of a
 * {@link io.neli.Neli} bean of your own. They are looked up at the first event, not when the election is built, so a listener
 * may itself depend on the election.
 */
public final class LeaderListenerBeans implements LeaderListener {

    private final Supplier<List<LeaderListener>> listeners;

    /**
     * All beans of that type, also those that are not default candidates for injection. Those of a parent context with an
     * election of its own are notified by that one only.
     *
     * @param beans asked at the first event
     */
    public LeaderListenerBeans(ListableBeanFactory beans) {
        this.listeners = SingletonSupplier.of(() -> {
            Set<LeaderListener> parents = ofParentElection(beans);
            return beans.getBeanProvider(LeaderListener.class)
                    .orderedStream()
                    .filter(listener -> !parents.contains(listener))
                    .toList();
        });
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

    /**
     * Calls every listener, even if one throws: each may have something to stop. Only on {@link LeaderAcquired} the first
     * failure ends the calls, as later listeners may begin to work, relying on what the earlier ones prepare. Throws the first
     * failure.
     */
    @Override
    public void onEvent(LeaderEvent event) {
        Throwable first = null;
        for (LeaderListener listener : listeners.get()) {
            try {
                listener.onEvent(event);
            } catch (Throwable failure) { // also a checked exception, from Kotlin
                if (first == null) {
                    first = failure;
                } else if (failure != first) {
                    first.addSuppressed(failure);
                }
                if (event instanceof LeaderAcquired) {
                    break;
                }
            }
        }
        if (first != null) {
            ReflectionUtils.rethrowRuntimeException(first);
        }
    }
}
