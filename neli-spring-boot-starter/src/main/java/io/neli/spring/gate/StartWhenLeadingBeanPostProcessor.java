package io.neli.spring.gate;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.neli.spring.LeaderOnly;
import io.neli.spring.StartWhenLeading;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * Registers the {@link Lifecycle} beans that have {@link StartWhenLeading}, and refuses the annotation where it cannot
 * work. {@link LeaderListenerContainers} handles Kafka listeners.
 */
final class StartWhenLeadingBeanPostProcessor implements BeanPostProcessor, Ordered, SmartInitializingSingleton {

    private static final String KAFKA_LISTENER = "org.springframework.kafka.annotation.KafkaListener";
    private static final boolean KAFKA_PRESENT =
            ClassUtils.isPresent(KAFKA_LISTENER, StartWhenLeadingBeanPostProcessor.class.getClassLoader());

    private final ConfigurableListableBeanFactory beans;
    private final ContextComponents components;
    private final RoleResolver roles;
    private final Set<Class<?>> verified = ConcurrentHashMap.newKeySet();
    private final Set<String> taken = ConcurrentHashMap.newKeySet();

    StartWhenLeadingBeanPostProcessor(
            ConfigurableListableBeanFactory beans, ContextComponents components, RoleResolver roles) {
        this.beans = beans;
        this.components = components;
        this.roles = roles;
    }

    /** Before the post processor of {@code @LeaderOnly}, because starting the bean must not be work. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE - 3;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof AopInfrastructureBean) {
            return bean;
        }
        Class<?> type = LeaderOnlyBeanPostProcessor.typeOf(bean);
        if (verified.add(type)) {
            verifyMethods(type);
        }
        annotation(type, beanName).ifPresent(annotation -> take(bean, beanName, type, annotation));
        return bean;
    }

    /** Takes the beans that other post processors need, which are created before this one is registered. */
    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanNamesForAnnotation(StartWhenLeading.class)) {
            Object early = beans.getSingleton(name);
            if (early != null && !taken.contains(name)) {
                postProcessAfterInitialization(early, name);
            }
        }
    }

    /** The annotation on the class, or else on the {@code @Bean} method. */
    private Optional<StartWhenLeading> annotation(Class<?> type, String beanName) {
        StartWhenLeading onType = AnnotatedElementUtils.findMergedAnnotation(type, StartWhenLeading.class);
        if (onType == null && beans.containsBeanDefinition(beanName)) {
            onType = beans.findAnnotationOnBean(beanName, StartWhenLeading.class, false);
        }
        return Optional.ofNullable(onType);
    }

    private void take(Object bean, String beanName, Class<?> type, StartWhenLeading annotation) {
        taken.add(beanName);
        AnnotatedPlace place =
                new AnnotatedPlace(StartWhenLeading.class, type.getName() + " (bean '" + beanName + "')");
        String role = roles.resolve(annotation.role(), place);
        verifyListeners(type);
        if (bean instanceof Lifecycle lifecycle) {
            boolean singleton = !beans.containsBeanDefinition(beanName) || beans.isSingleton(beanName);
            verifyLifecycle(lifecycle, type, singleton, place);
            if (KAFKA_PRESENT) {
                LeaderListenerContainers.prepare(lifecycle, place, roles);
            }
            BeanDefinition defined = definition(beanName); // until the application removes or replaces it
            components.add("bean '" + beanName + "'", role, lifecycle, () -> definition(beanName) == defined);
            return;
        }
        boolean madeByFactoryBean = !(bean instanceof FactoryBean) && beans.isFactoryBean(beanName);
        if (!hasListeners(type) && !madeByFactoryBean) {
            throw place.refusal(
                    "it implements neither Lifecycle nor SmartLifecycle and has no @KafkaListener, so there is nothing to"
                            + " start",
                    "implement one of them, or use @LeaderOnly for methods that are called");
        }
    }

    private @Nullable BeanDefinition definition(String beanName) {
        return beans.containsBeanDefinition(beanName) ? beans.getBeanDefinition(beanName) : null;
    }

    /** The annotation that applies to a Kafka listener, a method or a class: its own, or that of its method's class. */
    static Optional<StartWhenLeading> onListener(AnnotatedElement element) {
        StartWhenLeading own = AnnotatedElementUtils.findMergedAnnotation(element, StartWhenLeading.class);
        return own == null && element instanceof Method method
                ? onListener(method.getDeclaringClass())
                : Optional.ofNullable(own);
    }

    /** Whether it applies to a Kafka listener method of the class. */
    static boolean isOnListener(Class<?> type) {
        return listenerMethods(type).stream()
                .anyMatch(method -> onListener(method).isPresent());
    }

    static AnnotatedPlace place(AnnotatedElement element) {
        return element instanceof Method method
                ? new AnnotatedPlace(StartWhenLeading.class, method, method.getDeclaringClass())
                : new AnnotatedPlace(StartWhenLeading.class, ((Class<?>) element).getName());
    }

    private static boolean hasListeners(Class<?> type) {
        return isListener(type) || !listenerMethods(type).isEmpty();
    }

    private static Set<Method> listenerMethods(Class<?> type) {
        return MethodIntrospector.selectMethods(type, (MethodFilter) StartWhenLeadingBeanPostProcessor::isListener);
    }

    private static boolean isListener(AnnotatedElement element) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(KAFKA_LISTENER);
    }

    /** Refuses the annotation on methods that nothing starts or stops. */
    private static void verifyMethods(Class<?> type) {
        Set<Method> annotated = MethodIntrospector.selectMethods(
                type, (MethodFilter) method -> AnnotatedElementUtils.hasAnnotation(method, StartWhenLeading.class));
        for (Method method : annotated) {
            if (!isListener(method) && !AnnotatedElementUtils.hasAnnotation(method, Bean.class)) {
                AnnotatedPlace place = place(method);
                throw place.refusal(
                        "the method is neither a @KafkaListener nor a @Bean method, so there is nothing to start",
                        "use @LeaderOnly for a method that is called");
            }
        }
    }

    /** Refuses the annotation if it would silently not apply to some of a bean's Kafka listeners. */
    private static void verifyListeners(Class<?> type) {
        for (Method listener : listenerMethods(type)) {
            if (onListener(listener).isEmpty()) {
                AnnotatedPlace place = place(type);
                throw place.refusal(
                        "it does not apply to the @KafkaListener method "
                                + place(listener).name(),
                        "put it on that method, or on the class that declares the method");
            }
        }
    }

    /** Refuses the annotation on a bean that Spring would start, or that nothing could stop. */
    private static void verifyLifecycle(Lifecycle lifecycle, Class<?> type, boolean singleton, AnnotatedPlace place) {
        if (!singleton) {
            throw place.refusal("it is not a singleton, and nothing would stop the instances", "make it a singleton");
        }
        if (AnnotatedElementUtils.hasAnnotation(type, LeaderOnly.class)) {
            throw place.refusal(
                    "its class is @LeaderOnly too, which applies to start() and stop()", "remove one of the two");
        }
        if (lifecycle instanceof SmartLifecycle smart && smart.isAutoStartup()) {
            throw place.refusal(
                    "it starts by itself with the application context, also where this member does not lead",
                    "return false from isAutoStartup()");
        }
    }
}
