package io.neli.spring.gate;

import java.lang.reflect.Method;

import io.neli.spring.LeaderOnly;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/** Finds {@link LeaderOnly} on a method or its class, on what these override or implement, and as a meta-annotation. */
final class LeaderOnlyPointcut extends StaticMethodMatcherPointcut {

    LeaderOnlyPointcut() {
        setClassFilter(type -> AnnotationUtils.isCandidateClass(type, LeaderOnly.class));
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
        if (isAnnotated(specific) || isAnnotated(method)) {
            return true;
        }
        // Nobody wants a bean whose toString() returns null on a standby.
        return !ReflectionUtils.isObjectMethod(specific)
                && AnnotatedElementUtils.hasAnnotation(targetClass, LeaderOnly.class);
    }

    /** Whether the annotation is on the method itself, not on its class. */
    static boolean isAnnotated(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, LeaderOnly.class);
    }
}
