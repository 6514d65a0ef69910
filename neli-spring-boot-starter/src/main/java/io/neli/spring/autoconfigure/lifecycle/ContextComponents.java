package io.neli.spring.autoconfigure.lifecycle;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ApplicationContextEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.ContextRestartedEvent;
import org.springframework.context.event.ContextStartedEvent;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * The part of the {@link LeaderComponents} that belongs to one application context. A context may start, also again, or
 * a bean be created in it, while its parent's election leads: no event tells of that lead any more.
 */
final class ContextComponents implements SmartLifecycle, ApplicationListener<ApplicationContextEvent>, DisposableBean {

    private final LeaderComponents all;
    private final BooleanSupplier leftToSpring;
    private final List<LeaderComponent> own = new CopyOnWriteArrayList<>();
    private final ApplicationContext context;
    private volatile boolean running;

    /**
     * None yet.
     *
     * @param leftToSpring whether all run as ever, as {@code neli.enabled} and {@code neli.when-disabled} say
     */
    ContextComponents(ApplicationContext context, LeaderComponents all, BooleanSupplier leftToSpring) {
        this.context = context;
        this.all = all;
        this.leftToSpring = leftToSpring;
    }

    LeaderComponents all() {
        return all;
    }

    boolean leftToSpring() {
        return leftToSpring.getAsBoolean();
    }

    LeaderComponent add(String name, String role, Lifecycle lifecycle) {
        LeaderComponent component = new LeaderComponent(name, role, lifecycle, this::isRunning);
        own.add(component);
        all.add(component);
        if (lifecycle instanceof MessageListenerContainer container) {
            // After the record under way: the others that were fetched are the next leader's.
            container.getContainerProperties().setStopImmediate(true);
        }
        if (running && !leftToSpring()) {
            all.startIfLed(component);
        }
        return component;
    }

    @Override
    public void onApplicationEvent(ApplicationContextEvent event) {
        boolean started = event instanceof ContextRefreshedEvent
                || event instanceof ContextStartedEvent
                || event instanceof ContextRestartedEvent;
        if (started && event.getApplicationContext() == context && !leftToSpring()) {
            own.forEach(all::startIfLed);
        }
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        if (!leftToSpring()) {
            all.stop(own); // what the lead has started since Spring stopped it
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** First to start and last to stop. */
    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }

    @Override
    public void destroy() {
        all.removeAll(own);
    }
}
