package io.neli.spring.autoconfigure;

import io.neli.NeliException;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches by the bound value of the flag: for Boot's own condition, 'on' is not true and 'off' is not false. */
abstract class OnFlag extends SpringBootCondition {

    abstract boolean matches(Binder properties);

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        boolean match = matches(Binder.get(context.getEnvironment()));
        return new ConditionOutcome(match, (match ? "" : "not ") + getClass().getSimpleName());
    }

    private static boolean isEnabled(Binder properties) {
        return Boolean.TRUE.equals(
                properties.bind("neli.enabled", Boolean.class).orElse(true));
    }

    /** Fails if the value has changed since ahead-of-time processing, which evaluates the condition at build time. */
    static void verifyEnabled(Environment environment, boolean processed) {
        boolean now = isEnabled(Binder.get(environment));
        if (now != processed) {
            throw new NeliException(
                    "neli.enabled is '" + now + "', and the application was processed ahead of time with neli.enabled="
                            + processed,
                    "process it again with neli.enabled=" + now + ", or start it with neli.enabled=" + processed);
        }
    }

    static final class Enabled extends OnFlag {
        @Override
        boolean matches(Binder properties) {
            return isEnabled(properties);
        }
    }

    static final class Disabled extends OnFlag {
        @Override
        boolean matches(Binder properties) {
            return !isEnabled(properties);
        }
    }
}
