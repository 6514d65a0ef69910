package io.neli.spring.autoconfigure.lifecycle;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Lets nobody start a component without the lead: Spring starts what is a bean whenever a context starts. */
final class StartGuard implements MethodInterceptor {

    private final LeaderComponents components;
    private final LeaderComponent component;

    StartGuard(LeaderComponents components, LeaderComponent component) {
        this.components = components;
        this.component = component;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        if (invocation.getMethod().getParameterCount() > 0) {
            return invocation.proceed();
        }
        if (invocation.getMethod().getName().equals("start")) {
            components.startIfLed(component);
            return null;
        }
        return component.isLed(components.election()) ? invocation.proceed() : false;
    }
}
