package io.neli.spring.gate;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.neli.LeaderWork;
import io.neli.Neli;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.ReactiveAdapter;

/** Runs a call as work, or skips or refuses it. */
record LeaderOnlyInterceptor(
        Supplier<? extends Neli> election, LeaderOnlyMethods methods, LeaderOnlyObservations observations)
        implements MethodInterceptor {

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        LeaderOnlyMethod method = methods.of(
                invocation.getMethod(),
                target == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target));
        ReactiveAdapter reactive = method.reactive();
        if (reactive != null) {
            return new ReactiveGate(method, reactive, election, observations, invocation).returned();
        }
        if (method.job() != null && method.skips(election.get())) {
            return method.skipped().get();
        }
        Optional<LeaderWork> begun = method.begin(election.get());
        return begun.isEmpty() ? method.otherwise(election.get()) : run(method, invocation, begun.get());
    }

    private @Nullable Object run(LeaderOnlyMethod method, MethodInvocation invocation, LeaderWork work)
            throws Throwable {
        boolean continues = false;
        try {
            Object returned = observations.call(method, invocation);
            if (returned instanceof CompletionStage<?> stage) {
                // A fence does not cancel it: a cancelled future would claim to have ended while its computation
                // continues.
                work.detach(() -> {});
                stage.whenComplete((result, failure) -> work.close());
                continues = true;
            }
            return returned;
        } finally {
            if (!continues) {
                work.close();
            }
        }
    }
}
