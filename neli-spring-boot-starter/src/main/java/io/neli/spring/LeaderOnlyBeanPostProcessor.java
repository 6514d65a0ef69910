package io.neli.spring;

import java.util.function.Supplier;

import io.neli.Neli;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.context.EmbeddedValueResolverAware;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;

/**
 * Puts the gate of {@link LeaderOnly} around the beans that carry it. Declare it with a {@code static @Bean} method; Spring
 * Boot applications get one by auto-configuration.
 *
 * <p>Creating such a bean fails with an {@link IllegalStateException} that names class, method and fix where the
 * annotation could not work.
 */
public final class LeaderOnlyBeanPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements EmbeddedValueResolverAware {

    private static final long serialVersionUID = 1L;

    private final transient LeaderOnlyPointcut pointcut = new LeaderOnlyPointcut();
    private final transient LeaderOnlyRoles roles = new LeaderOnlyRoles(this::resolvePlaceholders);
    private final transient LeaderOnlyVerification verification = new LeaderOnlyVerification(pointcut, roles);
    private transient @Nullable StringValueResolver placeholders;

    /**
     * A post processor for one election.
     *
     * @param election asked at calls only, never while beans are created
     */
    public LeaderOnlyBeanPostProcessor(Supplier<? extends Neli> election) {
        this.advisor = new DefaultPointcutAdvisor(pointcut, new LeaderOnlyInterceptor(election, roles));
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

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof AopInfrastructureBean || !isEligible(AopUtils.getTargetClass(bean))) {
            return bean;
        }
        Class<?> type = ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
        verification.verify(type);
        Object exposed = super.postProcessAfterInitialization(bean, beanName);
        verification.verifyExposed(type, exposed);
        return exposed;
    }
}
