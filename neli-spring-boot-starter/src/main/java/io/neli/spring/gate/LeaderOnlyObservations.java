package io.neli.spring.gate;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.micrometer.observation.Observation;
import io.micrometer.observation.Observation.Scope;
import io.micrometer.observation.ObservationRegistry;
import io.neli.Leadership;
import io.neli.spring.LeaderOnly;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.ScheduledTaskObservationContext;
import org.springframework.util.ClassUtils;

/** Observes the calls that run. Spring's scheduler already observes its own calls; these only get the term. */
record LeaderOnlyObservations(Supplier<ObservationRegistry> registry) {

    /** Calls the method within its work, and observes it until the returned stage, if any, is complete. */
    @SuppressWarnings("try") // the scope is only closed
    @Nullable
    Object call(LeaderOnlyMethod method, MethodInvocation invocation) throws Throwable {
        Observation outer = registry.get().getCurrentObservation();
        if (outer != null && isTick(outer, method)) {
            describe(outer, Leadership.current());
            return invocation.proceed();
        }
        Observation observation = of(method, Leadership.current()).start();
        Object returned;
        try (Scope scope = observation.openScope()) {
            returned = invocation.proceed();
        } catch (Throwable e) {
            end(observation, e);
            throw e;
        }
        if (returned instanceof CompletionStage<?> stage) {
            stage.whenComplete((result, failure) -> end(observation, failure));
        } else {
            end(observation, null);
        }
        return returned;
    }

    /** Creates an observation without starting it. */
    Observation of(LeaderOnlyMethod method, Optional<Leadership> term) {
        Observation observation = Observation.createNotStarted("neli.call", registry.get())
                .contextualName("leader-only " + method.place().name())
                .lowCardinalityKeyValue("method", method.place().name());
        return describe(observation, term);
    }

    private static Observation describe(Observation observation, Optional<Leadership> term) {
        term.ifPresent(led -> observation
                .highCardinalityKeyValue("neli.role", led.role())
                .highCardinalityKeyValue("neli.token", Long.toString(led.token())));
        return observation;
    }

    private static void end(Observation observation, @Nullable Throwable failure) {
        if (failure != null) {
            observation.error(failure);
        }
        observation.stop();
    }

    private static boolean isTick(Observation observation, LeaderOnlyMethod method) {
        return observation.getContext() instanceof ScheduledTaskObservationContext tick
                && method.place()
                        .equals(new AnnotatedPlace(
                                LeaderOnly.class, tick.getMethod(), ClassUtils.getUserClass(tick.getTargetClass())));
    }
}
