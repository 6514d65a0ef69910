package io.neli.spring.gate;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

import io.neli.Neli;
import io.neli.Neli.BackgroundTask;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderOnly.Otherwise;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.Lifecycle;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.support.ScheduledMethodRunnable;

/** Calls a {@link LeaderOnly#runOnAcquired} method of a bean when its role is acquired. */
final class FirstRun implements Lifecycle {

    private static final Logger log = LoggerFactory.getLogger(FirstRun.class);

    private final String name;
    private final BeanFactory beans;
    private final String beanName;
    private final Method method;
    private final String role;
    private final AtomicLong lastToken = new AtomicLong(Long.MIN_VALUE);
    private volatile @Nullable BackgroundTask waiting;

    /** The bean is found by its name, so that the call passes all proxies. An empty role is the election's default role. */
    FirstRun(String name, BeanFactory beans, String beanName, Method method, String role) {
        this.name = name;
        this.beans = beans;
        this.beanName = beanName;
        this.method = method;
        this.role = role;
    }

    /** The methods to call, with their annotations. */
    static Map<Method, LeaderOnly> of(Class<?> type) {
        LeaderOnly onType = AnnotatedElementUtils.findMergedAnnotation(type, LeaderOnly.class);
        if (onType != null && onType.runOnAcquired()) {
            throw new AnnotatedPlace(LeaderOnly.class, type.getName())
                    .refusal("runOnAcquired: a class has no runs", "put runOnAcquired on the method");
        }
        return MethodIntrospector.selectMethods(type, (MetadataLookup<LeaderOnly>) method -> {
            LeaderOnly found = AnnotatedElementUtils.findMergedAnnotation(method, LeaderOnly.class);
            return found != null && found.runOnAcquired() ? found : null;
        });
    }

    static void verify(Method method, LeaderOnly annotation, boolean singleton, AnnotatedPlace place) {
        if (method.getParameterCount() > 0) {
            throw place.refusal("runOnAcquired: the method has parameters", "call a method without any");
        }
        if (annotation.otherwise() != Otherwise.SKIP) {
            throw place.refusal("runOnAcquired: it throws where this member does not lead", "leave out 'otherwise'");
        }
        if (!CompletionStage.class.isAssignableFrom(method.getReturnType())
                && ReactiveAdapterRegistry.getSharedInstance().getAdapter(method.getReturnType()) != null) {
            throw place.refusal(
                    "runOnAcquired: what it returns runs only when it is subscribed to",
                    "return void or a CompletionStage");
        }
        if (!singleton) {
            throw place.refusal("runOnAcquired: the bean is not a singleton", "make it a singleton");
        }
    }

    /** Returns at once. The call begins when work may begin, unless there was one in this term. */
    @Override
    public void start() {
        Neli election = beans.getBean(Neli.class);
        CompletableFuture<BackgroundTask> itself = new CompletableFuture<>();
        BackgroundTask task = election.background(role.isEmpty() ? election.defaultRole() : role, leadership -> {
            itself.join().close(); // no second call
            waiting = null;
            if (lastToken.getAndSet(leadership.token()) != leadership.token()) {
                call();
            }
        });
        waiting = task;
        itself.complete(task);
    }

    private void call() {
        try {
            Object bean = beans.getBean(beanName);
            new ScheduledMethodRunnable(bean, AopUtils.selectInvocableMethod(method, bean.getClass())).run();
        } catch (RuntimeException | Error e) {
            log.error("{} has failed", name, e);
        }
    }

    /** For a call that has begun, the handover waits as for any work. */
    @Override
    public void stop() {
        BackgroundTask task = waiting;
        waiting = null;
        if (task != null) {
            task.close();
        }
    }

    @Override
    public boolean isRunning() {
        return waiting != null;
    }
}
