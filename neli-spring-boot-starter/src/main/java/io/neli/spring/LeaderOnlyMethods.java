package io.neli.spring;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;

/** How each {@link LeaderOnly} method is gated; decided once. */
final class LeaderOnlyMethods {

    private static final String PLACEHOLDER = "${";

    private final StringValueResolver placeholders;
    private final LeaderOnlyReturns returns;
    private final Map<MethodClassKey, LeaderOnlyMethod> decided = new ConcurrentHashMap<>();

    LeaderOnlyMethods(StringValueResolver placeholders, LeaderOnlyReturns returns) {
        this.placeholders = placeholders;
        this.returns = returns;
    }

    /**
     * How the method is gated.
     *
     * @throws IllegalStateException if it cannot be
     */
    LeaderOnlyMethod of(Method method, Class<?> type) {
        Class<?> declared = ClassUtils.getUserClass(type);
        Method specific = AopUtils.getMostSpecificMethod(method, declared);
        return decided.computeIfAbsent(
                new MethodClassKey(specific, declared), key -> decide(method, specific, declared));
    }

    private LeaderOnlyMethod decide(Method method, Method specific, Class<?> type) {
        MergedAnnotation<LeaderOnly> annotation = annotation(method, specific, type);
        LeaderOnly leaderOnly = annotation.synthesize();
        Method annotated = annotation.getSource() instanceof Method source ? source : specific;
        return returns.gate(
                resolve(leaderOnly.role(), specific, type), leaderOnly.otherwise(), specific, annotated, type);
    }

    private String resolve(String role, Method method, Class<?> type) {
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
    private static MergedAnnotation<LeaderOnly> annotation(Method method, Method specific, Class<?> type) {
        MergedAnnotation<LeaderOnly> found = find(specific);
        if (!found.isPresent()) {
            found = find(method);
        }
        if (!found.isPresent()) {
            found = MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).get(LeaderOnly.class);
        }
        if (!found.isPresent()) {
            throw new IllegalStateException(type.getName() + "." + method.getName() + "() has no @LeaderOnly");
        }
        return found;
    }

    private static MergedAnnotation<LeaderOnly> find(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(LeaderOnly.class);
    }
}
