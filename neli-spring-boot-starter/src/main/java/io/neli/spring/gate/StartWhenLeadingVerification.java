package io.neli.spring.gate;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;

import io.neli.spring.LeaderOnly;
import io.neli.spring.StartWhenLeading;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils.MethodFilter;

/** Finds {@link StartWhenLeading} on Kafka listeners, and refuses it where it could not work. */
final class StartWhenLeadingVerification {

    private StartWhenLeadingVerification() {}

    /**
     * The annotation of a Kafka listener: that on the method, or on the class that declares it.
     *
     * @param element what carries the {@code @KafkaListener}, a method or a class
     */
    static Optional<StartWhenLeading> onListener(AnnotatedElement element) {
        StartWhenLeading own = AnnotatedElementUtils.findMergedAnnotation(element, StartWhenLeading.class);
        return own == null && element instanceof Method method
                ? onListener(method.getDeclaringClass())
                : Optional.ofNullable(own);
    }

    static AnnotatedPlace place(AnnotatedElement element) {
        return element instanceof Method method
                ? new AnnotatedPlace(StartWhenLeading.class, method, method.getDeclaringClass())
                : new AnnotatedPlace(StartWhenLeading.class, ((Class<?>) element).getName());
    }

    static boolean hasListeners(Class<?> type) {
        return isListener(type) || !listenerMethods(type).isEmpty();
    }

    private static Set<Method> listenerMethods(Class<?> type) {
        return MethodIntrospector.selectMethods(type, (MethodFilter) StartWhenLeadingVerification::isListener);
    }

    private static boolean isListener(AnnotatedElement element) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
                .isPresent("org.springframework.kafka.annotation.KafkaListener");
    }

    /** Refuses it on methods that nothing starts or stops. */
    static void verifyMethods(Class<?> type) {
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

    /** Refuses it where it would apply to some of a bean's Kafka listeners and silently not to others. */
    static void verifyListeners(Class<?> type) {
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

    /** Refuses it on a bean that Spring would start, or that nothing could stop. */
    static void verifyLifecycle(Lifecycle lifecycle, Class<?> type, boolean singleton, AnnotatedPlace place) {
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
