package io.neli.spring;

import java.util.Optional;
import java.util.function.Supplier;

import io.neli.LeaderWork;
import io.neli.Neli;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/** Makes a call gated work, or skips it. */
final class LeaderOnlyInterceptor implements MethodInterceptor {

    private final Supplier<? extends Neli> election;
    private final LeaderOnlyRoles roles;

    LeaderOnlyInterceptor(Supplier<? extends Neli> election, LeaderOnlyRoles roles) {
        this.election = election;
        this.roles = roles;
    }

    @Override
    @SuppressWarnings("try") // the work is only closed
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Optional<LeaderWork> begun = begin(invocation);
        if (begun.isEmpty()) {
            return invocation.getMethod().getReturnType() == Optional.class ? Optional.empty() : null;
        }
        try (LeaderWork work = begun.get()) {
            return invocation.proceed();
        }
    }

    private Optional<LeaderWork> begin(MethodInvocation invocation) {
        Object target = invocation.getThis();
        Class<?> type = target == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        String role = roles.roleOf(invocation.getMethod(), type);
        return role.isEmpty() ? election.get().beginWork() : election.get().beginWork(role);
    }
}
