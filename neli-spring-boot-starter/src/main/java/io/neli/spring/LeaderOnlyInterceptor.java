package io.neli.spring;

import java.util.Optional;
import java.util.function.Supplier;

import io.neli.LeaderWork;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Makes a call gated work, or skips it. */
final class LeaderOnlyInterceptor implements MethodInterceptor {

    private final Supplier<Optional<LeaderWork>> gate;

    LeaderOnlyInterceptor(Supplier<Optional<LeaderWork>> gate) {
        this.gate = gate;
    }

    @Override
    @SuppressWarnings("try") // the work is only closed
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Optional<LeaderWork> begun = gate.get();
        if (begun.isEmpty()) {
            return invocation.getMethod().getReturnType() == Optional.class ? Optional.empty() : null;
        }
        try (LeaderWork work = begun.get()) {
            return invocation.proceed();
        }
    }
}
