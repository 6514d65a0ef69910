package io.neli.spring.gate;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

import io.neli.spring.StartWhenLeading;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ApplicationContextEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.ContextStartedEvent;

/**
 * The components of one application context. If this context's election, or its parent's, already leads when the
 * context starts or a bean is created, no event starts the components; then this class does.
 */
final class ContextComponents implements SmartLifecycle, ApplicationListener<ApplicationContextEvent>, DisposableBean {

    private final LeaderComponents all;
    private final List<LeaderComponent> own = new CopyOnWriteArrayList<>();
    private final ApplicationContext context;
    private volatile boolean running;

    ContextComponents(ApplicationContext context, LeaderComponents all) {
        this.context = context;
        this.all = all;
    }

    /** Adds a component, and removes those that are gone. */
    void add(String name, String role, Lifecycle lifecycle, BooleanSupplier present) {
        List<LeaderComponent> gone =
                own.stream().filter(LeaderComponent::isGone).toList();
        own.removeAll(gone);
        all.removeAll(gone);
        LeaderComponent component = new LeaderComponent(name, role, lifecycle, this::isRunning, present);
        own.add(component);
        all.add(component);
        if (running) {
            all.startIfLed(component);
        }
    }

    @Override
    public void onApplicationEvent(ApplicationContextEvent event) {
        boolean started = event instanceof ContextRefreshedEvent || event instanceof ContextStartedEvent;
        if (started && event.getApplicationContext() == context) {
            if (event instanceof ContextRefreshedEvent) {
                own.forEach(ContextComponents::verifyNotStarted);
            } else {
                all.stopUnled(own); // a context that is started again starts every Lifecycle bean, whoever leads
            }
            own.forEach(all::startIfLed);
        }
    }

    /** Refuses a started component: Spring starts any {@link Lifecycle} on which a bean that it starts depends. */
    private static void verifyNotStarted(LeaderComponent component) {
        if (component.isStartedElsewhere()) {
            AnnotatedPlace place = new AnnotatedPlace(StartWhenLeading.class, component.toString());
            throw place.refusal(
                    "it is already running: a bean that starts by itself depends on it, or another bean has started it",
                    "implement SmartLifecycle, return false from isAutoStartup(), and start it nowhere else");
        }
    }

    @Override
    public void start() {
        own.forEach(LeaderComponent::forgetTerm); // Spring has stopped them if the context starts again
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        all.stop(own); // those that were started since Spring stopped them
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
