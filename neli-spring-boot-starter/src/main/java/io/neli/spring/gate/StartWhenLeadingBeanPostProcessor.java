package io.neli.spring.gate;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.neli.spring.LeaderOnly;
import io.neli.spring.StartWhenLeading;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * Takes the {@link Lifecycle} beans that carry {@link StartWhenLeading}, and refuses the annotation where it could not work.
 * Kafka listeners are left to {@link LeaderListenerContainers}.
 */
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
final class StartWhenLeadingBeanPostProcessor implements BeanPostProcessor, Ordered {

    private final ConfigurableListableBeanFactory beans;
    private final ContextComponents components;
    private final RoleResolver roles;
    private final Set<Class<?>> verified = ConcurrentHashMap.newKeySet();

    StartWhenLeadingBeanPostProcessor(ConfigurableListableBeanFactory beans, ContextComponents components) {
        this.beans = beans;
        this.components = components;
        this.roles = new RoleResolver(beans);
    }

    /** Before that of {@code @LeaderOnly}: its start is no work. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE - 3;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof AopInfrastructureBean) {
            return bean;
        }
        Class<?> type = ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
        if (verified.add(type)) {
            StartWhenLeadingVerification.verifyMethods(type);
        }
        annotation(type, beanName).ifPresent(annotation -> take(bean, beanName, type, annotation));
        FirstRun.of(type).forEach((method, annotation) -> addFirstRun(beanName, method, annotation));
        return bean;
    }

    private void addFirstRun(String beanName, Method method, LeaderOnly annotation) {
        AnnotatedPlace place = new AnnotatedPlace(LeaderOnly.class, method, method.getDeclaringClass());
        FirstRun.verify(method, annotation, beans.containsBean(beanName) && beans.isSingleton(beanName), place);
        String role = roles.resolve(annotation.role(), place);
        String name = "first run of " + place.name();
        components.add(name, role, new FirstRun(name, beans, beanName, method, role), () -> true);
    }

    /** That on the class, or on the {@code @Bean} method. */
    private Optional<StartWhenLeading> annotation(Class<?> type, String beanName) {
        StartWhenLeading onType = AnnotatedElementUtils.findMergedAnnotation(type, StartWhenLeading.class);
        if (onType == null && beans.containsBeanDefinition(beanName)) {
            onType = beans.findAnnotationOnBean(beanName, StartWhenLeading.class, false);
        }
        return Optional.ofNullable(onType);
    }

    private void take(Object bean, String beanName, Class<?> type, StartWhenLeading annotation) {
        AnnotatedPlace place =
                new AnnotatedPlace(StartWhenLeading.class, type.getName() + " (bean '" + beanName + "')");
        String role = roles.resolve(annotation.role(), place);
        StartWhenLeadingVerification.verifyListeners(type);
        if (bean instanceof Lifecycle lifecycle) {
            boolean singleton = !beans.containsBeanDefinition(beanName) || beans.isSingleton(beanName);
            StartWhenLeadingVerification.verifyLifecycle(lifecycle, type, singleton, place);
            components.add("bean '" + beanName + "'", role, lifecycle, () -> true);
            return;
        }
        boolean madeByFactoryBean = !(bean instanceof FactoryBean) && beans.isFactoryBean(beanName);
        if (!StartWhenLeadingVerification.hasListeners(type) && !madeByFactoryBean) {
            throw place.refusal(
                    "it implements neither Lifecycle nor SmartLifecycle and has no @KafkaListener, so there is nothing to"
                            + " start",
                    "implement one of them, or use @LeaderOnly for methods that are called");
        }
    }
}
