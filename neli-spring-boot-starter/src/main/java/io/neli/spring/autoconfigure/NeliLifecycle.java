package io.neli.spring.autoconfigure;

import java.util.Timer;

import io.neli.Neli;
import io.neli.NeliSnapshot.Status;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.PriorityOrdered;

/**
 * Starts and stops the election with the application context, any number of times.
 *
 * <p>The election starts last and stops first, so everything that running work needs is still available while a
 * handover waits for the work. {@link #stop()} returns when the handover is over; other beans stop only then. A closing
 * context first publishes an event, on which schedulers refuse tasks and child contexts close; this bean receives it
 * before them.
 *
 * <p>While the election runs, a non-daemon thread keeps the process alive, because a standby may have no other.
 */
final class NeliLifecycle
        implements SmartLifecycle,
                SmartInitializingSingleton,
                DisposableBean,
                ApplicationListener<ContextClosedEvent>,
                PriorityOrdered {

    private final Neli neli;
    private final ConfigurableApplicationContext context;
    private volatile boolean started;
    private @Nullable Timer keepAlive;

    NeliLifecycle(Neli neli, ConfigurableApplicationContext context) {
        this.neli = neli;
        this.context = context;
    }

    /** Makes this depend on all beans of its phase, the last one: Spring starts it after them and stops it first. */
    @Override
    public void afterSingletonsInstantiated() {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        for (String name : beans.getBeanNamesForType(SmartLifecycle.class, true, false)) {
            beans.registerDependentBean(BeanFactoryUtils.transformedBeanName(name), NeliAutoConfiguration.LIFECYCLE);
        }
        if (isRunning()) { // the application has started it
            keepAlive();
        }
    }

    @Override
    public void start() {
        neli.start();
        keepAlive();
        started = true;
    }

    /** Keeps the process alive until the context stops: the application may restart an election that it closed. */
    private synchronized void keepAlive() {
        if (keepAlive == null) {
            keepAlive = new Timer("neli-keep-alive", false); // its thread lives until it is cancelled
        }
    }

    @Override
    public void stop() {
        try {
            neli.close();
        } finally {
            started = false;
            destroy();
        }
    }

    /** Ends the keep-alive thread, even if the context was never started. */
    @Override
    public synchronized void destroy() {
        if (keepAlive != null) {
            keepAlive.cancel();
            keepAlive = null;
        }
    }

    /**
     * Also true while the application itself closes the election, because a stop must wait for that, and after Spring
     * has created this bean again, because the application removed a bean on which it depends.
     */
    @Override
    public boolean isRunning() {
        return started || neli.snapshot().status() != Status.STOPPED;
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        if (isRunning() && event.getApplicationContext() == context) {
            stop();
        }
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }
}
