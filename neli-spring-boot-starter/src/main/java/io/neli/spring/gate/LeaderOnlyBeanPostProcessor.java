package io.neli.spring.gate;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.micrometer.observation.ObservationRegistry;
import io.neli.Neli;
import io.neli.spring.LeaderOnly;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;

/**
 * Puts the interceptor of {@link LeaderOnly} around the beans that have it. Creating such a bean fails with a {@link
 * io.neli.NeliException} if the annotation cannot work, or the bean is created too early to be proxied.
 */
final class LeaderOnlyBeanPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements BeanFactoryPostProcessor {

    private static final long serialVersionUID = 1L;

    private final transient Supplier<? extends Neli> election;
    private final transient LeaderOnlyMethods methods;
    private final transient LeaderOnlyVerification verification;

    /** Uses the election only at calls, never while beans are created. */
    LeaderOnlyBeanPostProcessor(
            RoleResolver roles, Supplier<? extends Neli> election, Supplier<ObservationRegistry> observations) {
        this.election = election;
        methods = new LeaderOnlyMethods(roles);
        verification = new LeaderOnlyVerification(methods);
        advisor = new DefaultPointcutAdvisor(
                methods, new LeaderOnlyInterceptor(election, methods, new LeaderOnlyObservations(observations)));
        // Outside the interceptors that the bean already has: a transaction commits before the work counts as ended.
        setBeforeExistingAdvisors(true);
        // Before the post processors of @Async (the lowest precedence) and @Retryable (one above), which then place
        // themselves outside: leadership is checked on the thread that does the work, and at each attempt. Also before
        // that of @Scheduled, which must find the proxy in place.
        setOrder(Ordered.LOWEST_PRECEDENCE - 2);
    }

    /** Detects beans that are created before this post processor is registered. */
    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        if (beans instanceof AbstractBeanFactory factory) {
            factory.addBeanPostProcessor(new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String beanName) {
                    if (!factory.getBeanPostProcessors().contains(LeaderOnlyBeanPostProcessor.this) && concerns(bean)) {
                        verification.verifyInTime(typeOf(bean), beanName);
                    }
                    return bean;
                }
            });
        }
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        verification.verifyReached(bean);
        if (!concerns(bean)) {
            return bean;
        }
        Class<?> type = typeOf(bean);
        verification.verify(type, definition(beanName));
        if (beanFactory != null) {
            verification.logUnscheduled(type, beanFactory);
        }
        Object exposed = proxied(bean, beanName, type);
        verification.verifyExposed(type, exposed);
        return exposed;
    }

    private Object proxied(Object bean, String beanName, Class<?> type) {
        try {
            return addInside(bean) ? bean : super.postProcessAfterInitialization(bean, beanName);
        } catch (AopConfigException e) {
            throw new AnnotatedPlace(LeaderOnly.class, type.getName())
                    .refusal(
                            "no proxy can extend the class",
                            "let it be extended: neither final, sealed nor a record, with a constructor that is not private;"
                                    + " or move the method to such a class",
                            e);
        }
    }

    /**
     * Adds the advisor behind those of @Async and @Retryable in the bean's proxies. Returns false if there are none:
     * unless their order is set, they come later.
     */
    private boolean addInside(Object bean) {
        Optional<Advised> innermost = proxies(bean)
                .filter(proxy -> !proxy.isFrozen() && outside(proxy) > 0)
                .reduce((outer, inner) -> inner);
        innermost.ifPresent(proxy -> proxy.addAdvisor(outside(proxy), Objects.requireNonNull(advisor)));
        return innermost.isPresent();
    }

    /** How many of the proxy's advisors there are up to the last one of @Async or @Retryable. */
    private static int outside(Advised proxy) {
        Advisor[] all = proxy.getAdvisors();
        int count = all.length;
        while (count > 0 && !repeatsOrSubmits(all[count - 1].getAdvice())) {
            count--;
        }
        return count;
    }

    private static boolean repeatsOrSubmits(Advice advice) {
        return advice instanceof AsyncExecutionInterceptor
                || advice.getClass().getPackageName().startsWith("org.springframework.resilience.");
    }

    /** The bean's proxies, the outermost first. */
    static Stream<Advised> proxies(Object bean) {
        return Stream.iterate(bean, Advised.class::isInstance, AopProxyUtils::getSingletonTarget)
                .map(Advised.class::cast);
    }

    boolean skips(Method method, Class<?> type) {
        return methods.matches(method, type) && methods.of(method, type).skips(election.get());
    }

    private boolean concerns(Object bean) {
        return !(bean instanceof AopInfrastructureBean) && isEligible(AopUtils.getTargetClass(bean));
    }

    private @Nullable BeanDefinition definition(String beanName) {
        return beanFactory != null && beanFactory.containsBeanDefinition(beanName)
                ? beanFactory.getMergedBeanDefinition(beanName)
                : null;
    }

    /** The class that the application wrote. */
    static Class<?> typeOf(Object bean) {
        return ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
    }
}
