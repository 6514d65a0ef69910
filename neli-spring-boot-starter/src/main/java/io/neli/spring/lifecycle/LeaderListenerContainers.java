package io.neli.spring.lifecycle;

import java.lang.reflect.AnnotatedElement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

import io.neli.spring.StartWhenLeading;
import io.neli.spring.gate.RoleResolver;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.beans.factory.BeanNameAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.kafka.annotation.KafkaListenerAnnotationBeanPostProcessor.AnnotationEnhancer;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;

/**
 * Takes the containers of {@code @KafkaListener}s that carry {@link StartWhenLeading}: they do not start by themselves, also
 * not when their registry is started again, as it is with the context.
 *
 * <p>The way to a container is the post processor that {@code @KafkaListener} may name: this names itself there, and calls the
 * one that the application has named.
 */
final class LeaderListenerContainers implements AnnotationEnhancer, BeanNameAware, SmartInitializingSingleton {

    private static final String POST_PROCESSOR = "containerPostProcessor";

    private final ConfigurableListableBeanFactory beans;
    private final ContextComponents components;
    private final RoleResolver roles;
    private final BooleanSupplier leftToSpring;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Set<Listener> reached = ConcurrentHashMap.newKeySet();
    private volatile String beanName = "";

    /** A listener that was found; several on one method with one post processor are one. */
    private record Listener(String name, String role, String postProcessor) {}

    /**
     * None yet.
     *
     * @param leftToSpring whether containers start as without the annotation, which is not asked before there is one
     */
    LeaderListenerContainers(
            ConfigurableListableBeanFactory beans, ContextComponents components, BooleanSupplier leftToSpring) {
        this.beans = beans;
        this.components = components;
        this.roles = new RoleResolver(beans);
        this.leftToSpring = leftToSpring;
    }

    @Override
    public void setBeanName(String name) {
        beanName = name;
    }

    @Override
    public Map<String, Object> apply(Map<String, Object> attributes, AnnotatedElement element) {
        Optional<StartWhenLeading> annotation = StartWhenLeadingVerification.onListener(element);
        if (annotation.isEmpty()) {
            return attributes;
        }
        String name = StartWhenLeadingVerification.describe(element);
        Listener listener = new Listener(
                name,
                roles.resolve(annotation.get().role(), StartWhenLeading.class, name),
                Objects.toString(attributes.get(POST_PROCESSOR), ""));
        if (!listeners.contains(listener)) {
            listeners.add(listener);
        }
        Map<String, Object> enhanced = new HashMap<>(attributes);
        enhanced.put(POST_PROCESSOR, "#{@'" + beanName + "'.postProcessor(" + listeners.indexOf(listener) + ")}");
        return enhanced;
    }

    /** Called by the expression that {@link #apply} puts into the annotation. */
    @Reflective
    public ContainerPostProcessor<Object, Object, AbstractMessageListenerContainer<Object, Object>> postProcessor(
            int listener) {
        return container -> take(listeners.get(listener), container);
    }

    private void take(Listener listener, AbstractMessageListenerContainer<Object, Object> container) {
        applicationsOwn(listener).ifPresent(postProcessor -> postProcessor.postProcess(container));
        reached.add(listener);
        if (leftToSpring.getAsBoolean()) {
            return;
        }
        container.setAutoStartup(false);
        beans.getBeansOfType(KafkaListenerEndpointRegistry.class, true, false)
                .values()
                .forEach(registry -> registry.setAlwaysStartAfterRefresh(false)); // or it would ignore that later
        components.add(listener.name(), listener.role(), container);
    }

    @SuppressWarnings("unchecked") // as in spring-kafka
    private Optional<ContainerPostProcessor<Object, Object, AbstractMessageListenerContainer<Object, Object>>>
            applicationsOwn(Listener listener) {
        BeanExpressionResolver expressions = beans.getBeanExpressionResolver();
        String named = beans.resolveEmbeddedValue(listener.postProcessor());
        Object found =
                expressions == null ? named : expressions.evaluate(named, new BeanExpressionContext(beans, null));
        if (found instanceof String name) {
            found = name.isEmpty() ? null : beans.getBean(name, ContainerPostProcessor.class);
        }
        return Optional.ofNullable(
                (ContainerPostProcessor<Object, Object, AbstractMessageListenerContainer<Object, Object>>) found);
    }

    /** A container that was not reached would run without leadership. */
    @Override
    public void afterSingletonsInstantiated() {
        for (Listener listener : listeners) {
            if (!reached.contains(listener)) {
                throw StartWhenLeadingVerification.refusal(
                        listener.name(),
                        "its container factory ignores the containerPostProcessor of @KafkaListener, so its containers"
                                + " cannot be started and stopped",
                        "use a ConcurrentKafkaListenerContainerFactory, not one of share consumers");
            }
        }
    }
}
