package io.neli.spring.gate;

import io.micrometer.observation.ObservationRegistry;
import io.neli.spring.StubNeli;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** A context with one {@code @LeaderOnly} bean and a stub of the election. */
final class GatedContext implements AutoCloseable {

    final StubNeli neli;
    final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    GatedContext(StubNeli neli) {
        this.neli = neli;
    }

    GatedContext with(Class<?>... configurations) {
        for (Class<?> configuration : configurations) {
            context.registerBean(configuration);
        }
        return this;
    }

    /** Starts the context with proxies that extend the class. */
    <T> T start(Class<T> type) {
        start(type, true);
        return context.getBean(type);
    }

    void start(Class<?> type, boolean proxyTargetClass) {
        context.registerBean(RoleResolver.class, () -> new RoleResolver(context.getBeanFactory()));
        context.registerBean(LeaderOnlyBeanPostProcessor.class, () -> {
            LeaderOnlyBeanPostProcessor processor = new LeaderOnlyBeanPostProcessor(
                    context.getBean(RoleResolver.class), () -> neli, () -> ObservationRegistry.NOOP);
            processor.setProxyTargetClass(proxyTargetClass);
            return processor;
        });
        context.registerBean(StubNeli.class, () -> neli);
        context.registerBean("bean", type);
        context.refresh();
    }

    @Override
    public void close() {
        context.close();
    }
}
