package io.neli.spring;

import java.util.function.Supplier;

import io.neli.Neli;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanFactory;
import org.springframework.context.EmbeddedValueResolverAware;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;

/**
 * Puts the gate of {@link LeaderOnly} around the beans that carry it. Declare it with a {@code static @Bean} method; Spring
 * Boot applications get one by auto-configuration.
 *
 * <p>Creating such a bean fails with an {@link IllegalStateException} that names class, method and fix where the
 * annotation could not work, also where the bean is created too early to be gated.
 */
public final class LeaderOnlyBeanPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements BeanFactoryPostProcessor, EmbeddedValueResolverAware {

    private static final long serialVersionUID = 1L;

    private final transient LeaderOnlyPointcut pointcut = new LeaderOnlyPointcut();
    private final transient LeaderOnlyMethods methods =
            new LeaderOnlyMethods(this::resolvePlaceholders, new LeaderOnlyReturns(LeaderOnlyReturns.REACTOR_PRESENT));
    private final transient LeaderOnlyVerification verification = new LeaderOnlyVerification(pointcut, methods);
    private transient @Nullable StringValueResolver placeholders;

    /**
     * A post processor for one election.
     *
     * @param election asked at calls only, never while beans are created
     */
    public LeaderOnlyBeanPostProcessor(Supplier<? extends Neli> election) {
        this.advisor = new DefaultPointcutAdvisor(pointcut, new LeaderOnlyInterceptor(election, methods));
        // Outside the interceptors that the bean has by now: a transaction commits before the work counts as ended.
        setBeforeExistingAdvisors(true);
        // Before the post processors of @Async (the lowest precedence) and @Retryable (one above), which then place
        // themselves outside: work is gated on the thread that does it, and an attempt that a fence has ended is not
        // repeated without leading. Also before that of @Scheduled, which must find the gate in place.
        setOrder(Ordered.LOWEST_PRECEDENCE - 2);
    }

    @Override
    public void setEmbeddedValueResolver(StringValueResolver resolver) {
        placeholders = resolver;
    }

    private @Nullable String resolvePlaceholders(String value) {
        StringValueResolver resolver = placeholders;
        return resolver == null ? value : resolver.resolveStringValue(value);
    }

    /** Watches for beans that are created before this is among the post processors, and would not be gated. */
    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        if (beans instanceof AbstractBeanFactory factory) {
            factory.addBeanPostProcessor(new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String beanName) {
                    if (!factory.getBeanPostProcessors().contains(LeaderOnlyBeanPostProcessor.this) && isGated(bean)) {
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
        if (!isGated(bean)) {
            return bean;
        }
        Class<?> type = typeOf(bean);
        verification.verify(type);
        Object exposed = super.postProcessAfterInitialization(bean, beanName);
        verification.verifyExposed(type, exposed);
        return exposed;
    }

    private boolean isGated(Object bean) {
        return !(bean instanceof AopInfrastructureBean) && isEligible(AopUtils.getTargetClass(bean));
    }

    private static Class<?> typeOf(Object bean) {
        return ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
    }
}
