package io.neli.spring.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches by the bound value of a property: for Boot's own condition, 'on' is not true and 'off' is not false. */
abstract class OnFlag extends SpringBootCondition {

    abstract boolean matches(Binder properties);

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        boolean match = matches(Binder.get(context.getEnvironment()));
        return new ConditionOutcome(match, (match ? "" : "not ") + getClass().getSimpleName());
    }

    private static boolean isTrue(Binder properties, String name, boolean otherwise) {
        return Boolean.TRUE.equals(properties.bind(name, Boolean.class).orElse(otherwise));
    }

    static final class Enabled extends OnFlag {
        @Override
        boolean matches(Binder properties) {
            return isTrue(properties, "neli.enabled", true);
        }
    }

    static final class Disabled extends OnFlag {
        @Override
        boolean matches(Binder properties) {
            return !isTrue(properties, "neli.enabled", true);
        }
    }

    /** Does not match for an observer, which must never become a candidate. */
    static final class CandidateWhenReady extends OnFlag {
        @Override
        boolean matches(Binder properties) {
            return isTrue(properties, "neli.require-readiness", false) && isTrue(properties, "neli.candidate", true);
        }
    }
}
