package io.neli.spring.autoconfigure;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import io.neli.NeliException;
import io.neli.spring.LeaderAcquiredEvent;
import io.neli.spring.LeaderChangedEvent;
import io.neli.spring.LeaderFencedEvent;
import io.neli.spring.LeaderRevokedEvent;
import io.neli.spring.LeadershipEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ApplicationListenerMethodAdapter;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.EventListenerFactory;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.KotlinDetector;
import org.springframework.core.Ordered;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.Order;

/**
 * Makes the election wait for the listeners of its events: {@code @EventListener} methods run on its thread, even if
 * the event multicaster is asynchronous. Refuses at start-up the listeners for which the election would not wait.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class LeadershipListeners implements EventListenerFactory, SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(LeadershipListeners.class);
    private static final String TRANSACTIONAL = "org.springframework.transaction.event.TransactionalEventListener";
    private static final String ASYNC = "org.springframework.scheduling.annotation.Async";
    private static final String MULTICASTER = AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME;

    private static final ThreadLocal<RuntimeException> FAILURE = new ThreadLocal<>();

    private final ConfigurableListableBeanFactory beans;

    LeadershipListeners(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** Whether such an event is a parameter of the method, or named by its {@link EventListener}. */
    private static boolean listensTo(Method method, Class<?> events) {
        EventListener listener = AnnotatedElementUtils.findMergedAnnotation(method, EventListener.class);
        return Stream.concat(
                        Arrays.stream(method.getParameterTypes()),
                        listener == null ? Stream.empty() : Arrays.stream(listener.classes()))
                .anyMatch(events::isAssignableFrom);
    }

    /**
     * Publishes the event. Throws the failure of an {@code @EventListener} method even if the event multicaster has an
     * error handler, which does not pass it on: without what that method prepares, no work may begin.
     */
    static void publish(ApplicationContext context, LeaderAcquiredEvent event) {
        FAILURE.remove();
        try {
            context.publishEvent(event);
            RuntimeException failure = FAILURE.get();
            if (failure != null) {
                throw failure;
            }
        } finally {
            FAILURE.remove();
        }
    }

    @Override
    public boolean supportsMethod(Method method) {
        return listensTo(method, LeadershipEvent.class) || listensTo(method, LeaderChangedEvent.class);
    }

    @Override
    public ApplicationListener<?> createApplicationListener(String beanName, Class<?> type, Method method) {
        Method declared = AopUtils.getMostSpecificMethod(method, type);
        if (MergedAnnotations.from(declared, SearchStrategy.TYPE_HIERARCHY).isPresent(TRANSACTIONAL)) {
            throw new NeliException(
                    type.getName() + "." + method.getName() + "() is a @TransactionalEventListener for an event of"
                            + " leadership, which is published without a transaction",
                    "use @EventListener");
        }
        if (listensTo(method, LeadershipEvent.class) && returnsEarly(declared, type)) {
            throw new NeliException(
                    type.getName() + "." + method.getName()
                            + "() returns before it has handled its event of leadership, as a suspending function or"
                            + " with a future or publisher, and the election would not wait for the rest",
                    "handle the event before the method returns, or return void if nothing needs to wait for the rest");
        }
        return new Adapter(beanName, type, method);
    }

    /** Whether Spring continues while the method still works. With {@code @Async} that is what is wanted. */
    private static boolean returnsEarly(Method method, Class<?> type) {
        Class<?> returned = method.getReturnType();
        boolean later = CompletionStage.class.isAssignableFrom(returned)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned) != null;
        return KotlinDetector.isSuspendingFunction(method)
                || (later
                        && Stream.of(method, type)
                                .noneMatch(place -> MergedAnnotations.from(place, SearchStrategy.TYPE_HIERARCHY)
                                        .isPresent(ASYNC)));
    }

    /** Refuses listeners that are not methods if the application has defined an asynchronous event multicaster. */
    @Override
    public void afterSingletonsInstantiated() {
        if (!beans.containsBeanDefinition(MULTICASTER)) {
            return;
        }
        ResolvableType ours = ResolvableType.forType(
                new ParameterizedTypeReference<ApplicationListener<? extends LeadershipEvent>>() {});
        List<String> movable = Arrays.stream(beans.getBeanNamesForType(ours))
                .filter(name -> beans.getBean(name, ApplicationListener.class).supportsAsyncExecution())
                .toList();
        DirectFieldAccessor multicaster = new DirectFieldAccessor(beans.getBean(MULTICASTER));
        boolean plain = multicaster.isReadableProperty("taskExecutor") // Spring's own, without an executor
                && multicaster.getPropertyValue("taskExecutor") == null;
        if (!movable.isEmpty() && !plain) {
            throw new NeliException(
                    "the listeners " + movable + " would be notified of leadership by the asynchronous bean '"
                            + MULTICASTER + "', so work would begin before they have prepared",
                    "return false from their supportsAsyncExecution(), or use @EventListener methods");
        }
    }

    private static final class Adapter extends ApplicationListenerMethodAdapter {

        Adapter(String beanName, Class<?> type, Method method) {
            super(beanName, type, method);
        }

        /** Logs most failures: if thrown, Spring would skip later listeners, which may have something to stop. */
        @Override
        public void onApplicationEvent(ApplicationEvent event) {
            try {
                super.onApplicationEvent(event);
            } catch (RuntimeException e) {
                boolean end = event instanceof LeaderRevokedEvent || event instanceof LeaderFencedEvent;
                if (!end && !(event instanceof LeaderChangedEvent)) {
                    if (event instanceof LeaderAcquiredEvent) {
                        FAILURE.set(e);
                    }
                    throw e;
                }
                log.error("{} failed on {}", this, event, e);
            } finally {
                Thread.interrupted(); // what a listener leaves behind is not meant for the next
            }
        }

        @Override
        public boolean supportsAsyncExecution() {
            return false;
        }
    }
}
