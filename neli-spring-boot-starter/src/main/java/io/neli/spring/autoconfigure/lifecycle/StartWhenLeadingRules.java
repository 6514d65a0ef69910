package io.neli.spring.autoconfigure.lifecycle;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;

import io.neli.spring.StartWhenLeading;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.KafkaListeners;
import org.springframework.util.ReflectionUtils.MethodFilter;

/** Where {@link StartWhenLeading} may stand, and the role that it names. */
final class StartWhenLeadingRules {

    private static final String PLACEHOLDER = "${";

    private final ConfigurableListableBeanFactory beans;

    StartWhenLeadingRules(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * The annotation that is in force for a Kafka listener: that on the method, or on the class that declares it.
     *
     * @param element what carries the {@code @KafkaListener}, a method or a class
     */
    static Optional<StartWhenLeading> onListener(AnnotatedElement element) {
        StartWhenLeading own = AnnotatedElementUtils.findMergedAnnotation(element, StartWhenLeading.class);
        return own == null && element instanceof Method method
                ? onListener(method.getDeclaringClass())
                : Optional.ofNullable(own);
    }

    /** For people. */
    static String describe(AnnotatedElement element) {
        return element instanceof Method method
                ? method.getDeclaringClass().getName() + "." + method.getName() + "()"
                : ((Class<?>) element).getName();
    }

    static Set<Method> listenerMethods(Class<?> type) {
        return MethodIntrospector.selectMethods(type, (MethodFilter) StartWhenLeadingRules::isListener);
    }

    static boolean isListener(AnnotatedElement element) {
        return AnnotatedElementUtils.hasAnnotation(element, KafkaListener.class)
                || AnnotatedElementUtils.hasAnnotation(element, KafkaListeners.class);
    }

    /** Refuses it on methods that nothing starts or stops. */
    static void verifyMethods(Class<?> type) {
        Set<Method> annotated = MethodIntrospector.selectMethods(
                type, (MethodFilter) method -> AnnotatedElementUtils.hasAnnotation(method, StartWhenLeading.class));
        for (Method method : annotated) {
            if (!isListener(method) && !AnnotatedElementUtils.hasAnnotation(method, Bean.class)) {
                throw refusal(
                        describe(method),
                        "the method is neither a @KafkaListener nor a @Bean method, so there is nothing to start",
                        "@LeaderOnly gates a method.");
            }
        }
    }

    /** Refuses it where it would be in force for some of a bean's Kafka listeners and silently not for others. */
    static void verifyListeners(Class<?> type) {
        for (Method listener : listenerMethods(type)) {
            if (onListener(listener).isEmpty()) {
                throw refusal(
                        type.getName(),
                        "it does not reach the @KafkaListener method " + describe(listener),
                        "Put it on that method, or on the class that declares the method.");
            }
        }
    }

    /**
     * The role, with its placeholders resolved; empty for the first of the list.
     *
     * @param place what carries the annotation, for people
     */
    String role(StartWhenLeading annotation, String place) {
        String role = annotation.role();
        if (role.isEmpty()) {
            return role;
        }
        @Nullable String resolved;
        try {
            resolved = beans.resolveEmbeddedValue(role);
        } catch (IllegalArgumentException e) {
            throw unresolved(role, place, e);
        }
        if (resolved == null || resolved.isBlank()) {
            throw refusal(
                    place,
                    "its role '" + role + "' is blank" + (role.isBlank() ? "" : " once it is resolved"),
                    "Name a role, or leave the attribute out for the first of neli.roles.");
        }
        if (resolved.contains(PLACEHOLDER)) { // without Spring Boot nobody else minds
            throw unresolved(role, place, null);
        }
        return resolved;
    }

    private static IllegalStateException unresolved(String role, String place, @Nullable Throwable cause) {
        IllegalStateException refusal = refusal(
                place,
                "nothing resolves the placeholder in its role '" + role + "'",
                "Set the property, or give the placeholder a default.");
        refusal.initCause(cause);
        return refusal;
    }

    static IllegalStateException refusal(String place, String problem, String fix) {
        return new IllegalStateException("@StartWhenLeading cannot work on " + place + ": " + problem + ". " + fix);
    }
}
