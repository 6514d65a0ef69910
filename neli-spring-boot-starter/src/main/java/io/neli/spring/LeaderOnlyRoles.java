package io.neli.spring;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;

/** The role of each {@link LeaderOnly} method; empty for the first of the list. Each is resolved once. */
final class LeaderOnlyRoles {

    private static final String PLACEHOLDER = "${";

    private final StringValueResolver placeholders;
    private final Map<MethodClassKey, String> resolved = new ConcurrentHashMap<>();

    LeaderOnlyRoles(StringValueResolver placeholders) {
        this.placeholders = placeholders;
    }

    /**
     * The role of the method.
     *
     * @throws IllegalStateException if it is blank or cannot be resolved
     */
    String roleOf(Method method, Class<?> type) {
        Class<?> declared = ClassUtils.getUserClass(type);
        Method specific = AopUtils.getMostSpecificMethod(method, declared);
        return resolved.computeIfAbsent(new MethodClassKey(specific, declared), key -> resolve(method, declared));
    }

    private String resolve(Method method, Class<?> type) {
        String role = annotation(method, type).role();
        if (role.isEmpty()) {
            return role;
        }
        String resolved = replacePlaceholders(role, method, type);
        if (resolved == null || resolved.isBlank()) {
            throw LeaderOnlyVerification.refusal(
                    method,
                    type,
                    "its role '" + role + "' is blank" + (role.isBlank() ? "" : " once it is resolved"),
                    "Name a role, or leave the attribute out for the first of neli.roles.");
        }
        return resolved;
    }

    private @Nullable String replacePlaceholders(String role, Method method, Class<?> type) {
        @Nullable String resolved;
        try {
            resolved = placeholders.resolveStringValue(role);
        } catch (IllegalArgumentException e) {
            throw unresolved(role, method, type, e);
        }
        if (resolved != null && resolved.contains(PLACEHOLDER)) { // without Spring Boot nobody else minds
            throw unresolved(role, method, type, null);
        }
        return resolved;
    }

    private static IllegalStateException unresolved(
            String role, Method method, Class<?> type, @Nullable Throwable cause) {
        IllegalStateException refusal = LeaderOnlyVerification.refusal(
                method,
                type,
                "nothing resolves the placeholder in its role '" + role + "'",
                "Set the property, or give the placeholder a default.");
        refusal.initCause(cause);
        return refusal;
    }

    /** That on the method comes before that on the class. */
    private static LeaderOnly annotation(Method method, Class<?> type) {
        for (Method candidate : new Method[] {AopUtils.getMostSpecificMethod(method, type), method}) {
            LeaderOnly onMethod = AnnotatedElementUtils.findMergedAnnotation(candidate, LeaderOnly.class);
            if (onMethod != null) {
                return onMethod;
            }
        }
        LeaderOnly onType = AnnotatedElementUtils.findMergedAnnotation(type, LeaderOnly.class);
        if (onType == null) {
            throw new IllegalStateException(type.getName() + "." + method.getName() + "() has no @LeaderOnly");
        }
        return onType;
    }
}
