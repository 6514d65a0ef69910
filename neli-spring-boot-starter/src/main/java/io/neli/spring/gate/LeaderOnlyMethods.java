package io.neli.spring.gate;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.neli.spring.LeaderOnly;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/** How each {@link LeaderOnly} method is handled; decided once. */
final class LeaderOnlyMethods {

    private final RoleResolver roles;
    private final LeaderOnlyReturns returns;
    private final Map<MethodClassKey, LeaderOnlyMethod> decided = new ConcurrentHashMap<>();

    LeaderOnlyMethods(RoleResolver roles, LeaderOnlyReturns returns) {
        this.roles = roles;
        this.returns = returns;
    }

    /**
     * How the method is handled.
     *
     * @throws io.neli.NeliException if the annotation cannot work on it
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
        String role =
                roles.resolve(leaderOnly.role(), LeaderOnly.class, LeaderOnlyVerification.describe(specific, type));
        Method annotated = annotation.getSource() instanceof Method source ? source : specific;
        LeaderOnlyMethod handled = returns.decide(role, leaderOnly.otherwise(), specific, annotated, type);
        return leaderOnly.runOnAcquired() ? handled.withoutOverlap() : handled;
    }

    /** An annotation on the method comes before one on the class. */
    private static MergedAnnotation<LeaderOnly> annotation(Method method, Method specific, Class<?> type) {
        MergedAnnotation<LeaderOnly> found = find(specific);
        if (!found.isPresent()) {
            found = find(method);
        }
        if (!found.isPresent()) {
            found = MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).get(LeaderOnly.class);
        }
        if (!found.isPresent()) {
            throw new IllegalStateException(LeaderOnlyVerification.describe(method, type) + " has no @LeaderOnly");
        }
        return found;
    }

    private static MergedAnnotation<LeaderOnly> find(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(LeaderOnly.class);
    }
}
