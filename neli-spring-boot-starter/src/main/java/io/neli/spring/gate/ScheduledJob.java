package io.neli.spring.gate;

import java.lang.reflect.Method;
import java.util.concurrent.Executors;

import io.micrometer.observation.ObservationRegistry;
import io.neli.Job;
import io.neli.spring.ScheduledRun;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.scheduling.support.ScheduledMethodRunnable;

/** Calls a method of a bean for each run of its job. Looks the bean up by name, so that the call passes all proxies. */
final class ScheduledJob implements Job.Task {

    private static final ThreadLocal<@Nullable Method> CALLED = new ThreadLocal<>();

    private final BeanFactory beans;
    private final String beanName;
    private final Method method;

    ScheduledJob(BeanFactory beans, String beanName, Method method) {
        this.beans = beans;
        this.beanName = beanName;
        this.method = method;
    }

    @Override
    public void run(Job.Run run) throws Exception {
        Object bean = beans.getBean(beanName);
        ScheduledMethodRunnable runnable = new ScheduledMethodRunnable(
                bean, AopUtils.selectInvocableMethod(method, bean.getClass()), null, this::observations);
        CALLED.set(method);
        try {
            new ScheduledRun(run.dueAt(), run.repeated(), run.leadership()).call(Executors.callable(runnable));
        } finally {
            CALLED.remove();
        }
    }

    private ObservationRegistry observations() {
        return beans.getBeanProvider(ObservationRegistry.class).getIfUnique(() -> ObservationRegistry.NOOP);
    }

    /** Whether the calling thread is in a call of the method for a run. */
    static boolean calls(Method specific) {
        return specific.equals(CALLED.get());
    }
}
