package io.neli.spring.gate;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import io.neli.spring.StartWhenLeading;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.Lifecycle;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListenerAnnotationBeanPostProcessor.AnnotationEnhancer;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * Controls the containers of {@code @KafkaListener}s that have {@link StartWhenLeading}: they do not start by
 * themselves, even if their registry is started again, as it is with the context.
 *
 * <p>It reaches a container by the post processor that {@code @KafkaListener} may name: it sets itself there, and calls
 * the one that the application has named. The registry has the container only later, which this notices as a bean post
 * processor.
 */
final class LeaderListenerContainers
        implements AnnotationEnhancer, BeanPostProcessor, SmartInitializingSingleton, Ordered {

    static final String NAME = "leaderListenerContainers";

    private static final Logger log = LoggerFactory.getLogger(LeaderListenerContainers.class);
    private static final String POST_PROCESSOR = "containerPostProcessor";

    private final ConfigurableListableBeanFactory beans;
    private final ContextComponents components;
    private final RoleResolver roles;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Set<Listener> reached = ConcurrentHashMap.newKeySet();
    private final Map<AbstractMessageListenerContainer<Object, Object>, Listener> unregistered =
            new ConcurrentHashMap<>();
    private final Set<KafkaListenerEndpointRegistry> bound = ConcurrentHashMap.newKeySet();
    private volatile boolean late;

    /** A listener that was found. Several on one method with the same post processor count as one. */
    private record Listener(AnnotatedPlace place, String role, String postProcessor) {}

    LeaderListenerContainers(ConfigurableListableBeanFactory beans, ContextComponents components, RoleResolver roles) {
        this.beans = beans;
        this.components = components;
        this.roles = roles;
    }

    @Override
    public Map<String, Object> apply(Map<String, Object> attributes, AnnotatedElement element) {
        Optional<StartWhenLeading> annotation = StartWhenLeadingBeanPostProcessor.onListener(element);
        if (annotation.isEmpty()) {
            return attributes;
        }
        AnnotatedPlace place = StartWhenLeadingBeanPostProcessor.place(element);
        if (methods(element)
                .anyMatch(method -> KotlinDetector.isSuspendingFunction(method)
                        || LeaderOnlyReturns.isLate(method.getReturnType()))) {
            throw place.refusal(
                    "the listener returns before it has processed its record, as a suspending function or with a"
                            + " future or publisher, and a handover would not wait for the rest",
                    "process the record before the method returns");
        }
        Listener listener = new Listener(
                place,
                roles.resolve(annotation.get().role(), place),
                Objects.toString(attributes.get(POST_PROCESSOR), ""));
        if (!listeners.contains(listener)) {
            listeners.add(listener);
        }
        Map<String, Object> enhanced = new HashMap<>(attributes);
        enhanced.put(POST_PROCESSOR, "#{@" + NAME + ".postProcessor(" + listeners.indexOf(listener) + ")}");
        return enhanced;
    }

    private static Stream<Method> methods(AnnotatedElement listener) {
        return listener instanceof Method method
                ? Stream.of(method)
                : MethodIntrospector.selectMethods((Class<?>) listener, (MethodFilter)
                                each -> AnnotatedElementUtils.hasAnnotation(each, KafkaHandler.class))
                        .stream();
    }

    /** Called by the expression that {@link #apply} puts into the annotation. */
    @Reflective
    public ContainerPostProcessor<Object, Object, AbstractMessageListenerContainer<Object, Object>> postProcessor(
            int listener) {
        return container -> take(listeners.get(listener), container);
    }

    private void take(Listener listener, AbstractMessageListenerContainer<Object, Object> container) {
        postProcess(listener.postProcessor(), container);
        reached.add(listener);
        container.setAutoStartup(false);
        unregistered.put(container, listener);
        if (late) {
            registries().forEach(this::bind); // one of them will register it
        }
    }

    /** The same as of spring-kafka's post processor, which is defined earlier and so runs first. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (late) {
            addRegistered();
        }
        return bean;
    }

    private void addRegistered() {
        unregistered.forEach((container, listener) -> registries().forEach((name, registry) -> {
            BooleanSupplier present = () -> registry.getListenerContainers().contains(container);
            if (present.getAsBoolean() && unregistered.remove(container, listener)) {
                bind(name, registry);
                prepare(container, listener.place(), roles);
                components.add(listener.place().name(), listener.role(), container, present);
            }
        }));
    }

    /** Checks a container that starts when this member leads, and makes it stop after the current record. */
    static void prepare(Lifecycle started, AnnotatedPlace place, RoleResolver roles) {
        if (started instanceof MessageListenerContainer container) {
            container
                    .getContainerProperties()
                    .setStopImmediate(true); // the next leader gets the other records that were fetched
        }
        if (started instanceof AbstractMessageListenerContainer<?, ?> container) {
            roles.check(() -> verifyGroup(container, place));
        }
    }

    /** Checks in advance what each start checks: otherwise the start would fail in every term. */
    private static void verifyGroup(AbstractMessageListenerContainer<?, ?> container, AnnotatedPlace place) {
        try {
            container.checkGroupId();
        } catch (IllegalStateException e) {
            throw place.refusal(
                    "its consumer has no group id, so it could not start when this member leads",
                    "set spring.kafka.consumer.group-id, or groupId of @KafkaListener, the same on all members",
                    e);
        }
    }

    private Map<String, KafkaListenerEndpointRegistry> registries() {
        return BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, KafkaListenerEndpointRegistry.class, true, false);
    }

    /** Otherwise the registry would start containers whatever their autoStartup is. Its old value cannot be read. */
    private void bind(String name, KafkaListenerEndpointRegistry registry) {
        if (bound.add(registry)) {
            registry.setAlwaysStartAfterRefresh(false);
            log.info(
                    "Set alwaysStartAfterRefresh of bean '{}' to false, because it would start containers of"
                            + " @StartWhenLeading listeners without leadership",
                    name);
        }
    }

    /** Calls the post processor that the application has named, if any. */
    @SuppressWarnings("unchecked") // as in spring-kafka
    private void postProcess(String named, AbstractMessageListenerContainer<Object, Object> container) {
        BeanExpressionResolver expressions = beans.getBeanExpressionResolver();
        String resolved = beans.resolveEmbeddedValue(named);
        Object found =
                expressions == null ? resolved : expressions.evaluate(resolved, new BeanExpressionContext(beans, null));
        if (found instanceof String name) {
            found = name.isEmpty() ? null : beans.getBean(name, ContainerPostProcessor.class);
        }
        if (found != null) {
            ((ContainerPostProcessor<Object, Object, AbstractMessageListenerContainer<Object, Object>>) found)
                    .postProcess(container);
        }
    }

    /** Refuses listeners whose containers were not reached, because these would run without leadership. */
    @Override
    public void afterSingletonsInstantiated() {
        late = true;
        addRegistered();
        for (Listener listener : listeners) {
            if (!reached.contains(listener)) {
                throw listener.place.refusal(
                        "its container factory ignores the containerPostProcessor of @KafkaListener, so its containers"
                                + " cannot be started and stopped",
                        "use a ConcurrentKafkaListenerContainerFactory, not one of share consumers");
            }
        }
        unregistered.values().forEach(listener -> {
            throw listener.place.refusal(
                    "its containers are in no KafkaListenerEndpointRegistry that is a bean, so nothing would start them",
                    "declare the registry as a bean");
        });
    }
}
