package io.neli.spring.autoconfigure.lifecycle;

import java.util.concurrent.CompletableFuture;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;

/**
 * Lets nobody start a component without the lead, as Spring starts what is a bean whenever a context starts, and has a
 * handover wait also for a stop that others have asked for.
 */
final class StartGuard implements MethodInterceptor {

    private final LeaderComponents components;
    private final LeaderComponent component;

    StartGuard(LeaderComponents components, LeaderComponent component) {
        this.components = components;
        this.component = component;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        return switch (invocation.getMethod().getName()) {
            case "start" -> start(invocation);
            case "stop" -> stop(invocation);
            case "isAutoStartup" -> component.isLed(components.election()) ? invocation.proceed() : false;
            default -> invocation.proceed();
        };
    }

    /** {@link Lifecycle#start()}, or a method of the same name. */
    private @Nullable Object start(MethodInvocation invocation) throws Throwable {
        if (invocation.getArguments().length > 0) {
            return invocation.proceed();
        }
        components.startIfLed(component);
        return null;
    }

    /** {@link Lifecycle#stop()}, {@link SmartLifecycle#stop(Runnable)}, or a method of the same name. */
    private @Nullable Object stop(MethodInvocation invocation) throws Throwable {
        Object[] arguments = invocation.getArguments();
        if (arguments.length == 0) {
            component.stop(Runnable::run).join();
        } else if (arguments.length == 1 && arguments[0] instanceof Runnable callback) {
            CompletableFuture<Void> unused = component.stop(Runnable::run).thenRun(callback);
        } else {
            return invocation.proceed();
        }
        return null;
    }
}
