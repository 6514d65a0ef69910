package io.neli.spring.autoconfigure.lifecycle;

import java.lang.reflect.AnnotatedElement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.spring.StartWhenLeading;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanNameAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.kafka.annotation.KafkaListenerAnnotationBeanPostProcessor.AnnotationEnhancer;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.event.ConsumerStartingEvent;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Takes the containers of {@code @KafkaListener}s that carry {@link StartWhenLeading} into its own hands: each is told not
 * to start by itself, also not when the registry is started again, as it is with the context.
 *
 * <p>The way to a container is its post processor, which the annotation names: this names itself there, and calls the one
 * that the application has named.
 */
final class LeaderListenerContainers
        implements AnnotationEnhancer,
                BeanNameAware,
                SmartInitializingSingleton,
                ApplicationListener<ConsumerStartingEvent> {

    private static final Logger log = LoggerFactory.getLogger(LeaderListenerContainers.class);

    private static final String POST_PROCESSOR = "containerPostProcessor";

    private final ConfigurableListableBeanFactory beans;
    private final ContextComponents components;
    private final StartWhenLeadingRules rules;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Set<Listener> contained = ConcurrentHashMap.newKeySet();
    private final Map<MessageListenerContainer, LeaderComponent> taken = new ConcurrentHashMap<>();
    private volatile String beanName = "";

    /** A listener that was found; several of one method are one, as long as they have one post processor. */
    private record Listener(String name, String role, String postProcessor) {}

    LeaderListenerContainers(ConfigurableListableBeanFactory beans, ContextComponents components) {
        this.beans = beans;
        this.components = components;
        this.rules = new StartWhenLeadingRules(beans);
    }

    @Override
    public void setBeanName(String name) {
        beanName = name;
    }

    @Override
    public Map<String, Object> apply(Map<String, Object> attributes, AnnotatedElement element) {
        Optional<StartWhenLeading> annotation = StartWhenLeadingRules.onListener(element);
        if (annotation.isEmpty()) {
            return attributes;
        }
        String name = StartWhenLeadingRules.describe(element);
        Listener listener = new Listener(
                name, rules.role(annotation.get(), name), Objects.toString(attributes.get(POST_PROCESSOR), ""));
        if (!listeners.contains(listener)) {
            listeners.add(listener);
        }
        Map<String, Object> enhanced = new HashMap<>(attributes);
        enhanced.put(POST_PROCESSOR, "#{@'" + beanName + "'.postProcessor(" + listeners.indexOf(listener) + ")}");
        return enhanced;
    }

    /** Called by the expression that {@link #apply} puts into the annotation. */
    public ContainerPostProcessor<Object, Object, AbstractMessageListenerContainer<Object, Object>> postProcessor(
            int listener) {
        return container -> take(listeners.get(listener), container);
    }

    private void take(Listener listener, AbstractMessageListenerContainer<Object, Object> container) {
        applicationsOwn(listener).ifPresent(postProcessor -> postProcessor.postProcess(container));
        contained.add(listener);
        if (components.leftToSpring()) {
            return;
        }
        container.setAutoStartup(false);
        beans.getBeansOfType(KafkaListenerEndpointRegistry.class, true, false)
                .values()
                .forEach(registry -> registry.setAlwaysStartAfterRefresh(false)); // or it heeds that but once
        taken.put(container, components.add(listener.name(), listener.role(), container));
    }

    /** The application may reach a container by the registry, and start it: nothing but its consumer can be held up then. */
    @Override
    public void onApplicationEvent(ConsumerStartingEvent event) {
        LeaderComponent component = taken.get(event.getContainer(MessageListenerContainer.class));
        if (component == null || component.isLed(components.all().election())) {
            return;
        }
        log.error(
                "{} was started without the lead, and is stopped again: leave its start to @StartWhenLeading",
                component);
        event.getSource(MessageListenerContainer.class).pause(); // no record comes until it has stopped
        component.stopAnew();
    }

    @SuppressWarnings("unchecked") // as spring-kafka itself has it
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

    /** Any container that is not in our hands would run without the lead. */
    @Override
    public void afterSingletonsInstantiated() {
        for (Listener listener : listeners) {
            if (!contained.contains(listener)) {
                throw StartWhenLeadingRules.refusal(
                        listener.name(),
                        "its container factory makes containers that cannot be started and stopped by the lead, as it"
                                + " passes over the containerPostProcessor of @KafkaListener",
                        "Use a ConcurrentKafkaListenerContainerFactory, not one of share consumers.");
            }
        }
    }
}
