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
 * <p>It starts last and stops first: while a handover waits for running work, everything that the work needs is still
 * there. {@link #stop()} returns when the handover is over, so that everything else stops later. A context that closes
 * first publishes an event, on which schedulers refuse tasks and child contexts close; this comes before them.
 *
 * <p>While the election runs, the process does not end by itself: a standby may have no other thread that is no daemon.
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

    /** Within the last phase, its own, Spring starts beans after those that they depend on, and stops them before. */
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

    /** Until the context stops: an application may close the election and start it again. */
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

    /** Also of a context that was never started. */
    @Override
    public synchronized void destroy() {
        if (keepAlive != null) {
            keepAlive.cancel();
            keepAlive = null;
        }
    }

    /**
     * Also while the application itself closes the election: a stop must wait for that. And if this was created again,
     * as Spring does when the application removes a bean that this depends on.
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
