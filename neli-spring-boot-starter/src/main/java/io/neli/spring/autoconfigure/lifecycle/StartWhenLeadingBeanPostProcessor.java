package io.neli.spring.autoconfigure.lifecycle;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.neli.spring.LeaderOnly;
import io.neli.spring.StartWhenLeading;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.ProxyProcessorSupport;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.NameMatchMethodPointcutAdvisor;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Puts a guard before the {@code start()} of {@link Lifecycle} beans that carry {@link StartWhenLeading}, and refuses the
 * annotation where it could not work. Kafka listeners are left to {@link LeaderListenerContainers}.
 */
final class StartWhenLeadingBeanPostProcessor extends ProxyProcessorSupport implements BeanPostProcessor {

    private static final long serialVersionUID = 1L;

    private final transient ConfigurableListableBeanFactory beans;
    private final transient ContextComponents components;
    private final transient StartWhenLeadingRules rules;
    private final transient Set<Class<?>> verified = ConcurrentHashMap.newKeySet();

    StartWhenLeadingBeanPostProcessor(ConfigurableListableBeanFactory beans, ContextComponents components) {
        this.beans = beans;
        this.components = components;
        this.rules = new StartWhenLeadingRules(beans);
        setOrder(Ordered.LOWEST_PRECEDENCE
                - 3); // inside the gate of @LeaderOnly: the lead itself starts what is behind it
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof AopInfrastructureBean) {
            return bean;
        }
        Class<?> type = ClassUtils.getUserClass(AopUtils.getTargetClass(bean));
        if (verified.add(type)) {
            StartWhenLeadingRules.verifyMethods(type);
        }
        Optional<StartWhenLeading> annotation = annotation(type, beanName);
        if (annotation.isEmpty()) {
            return bean;
        }
        String place = type.getName() + " (bean '" + beanName + "')";
        String role = rules.role(annotation.get(), place);
        StartWhenLeadingRules.verifyListeners(type);
        if (bean instanceof Lifecycle lifecycle) {
            verifyLifecycle(type, beanName, place);
            return guarded(lifecycle, components.add("bean '" + beanName + "'", role, lifecycle));
        }
        boolean listens = StartWhenLeadingRules.isListener(type)
                || !StartWhenLeadingRules.listenerMethods(type).isEmpty();
        boolean madeByFactoryBean = !(bean instanceof FactoryBean) && beans.isFactoryBean(beanName);
        if (!listens && !madeByFactoryBean) {
            throw StartWhenLeadingRules.refusal(
                    place,
                    "it implements neither Lifecycle nor SmartLifecycle and has no @KafkaListener, so there is nothing to"
                            + " start",
                    "Implement one of them. @LeaderOnly gates methods.");
        }
        return bean;
    }

    /** That on the class, or on the {@code @Bean} method. */
    private Optional<StartWhenLeading> annotation(Class<?> type, String beanName) {
        StartWhenLeading onType = AnnotatedElementUtils.findMergedAnnotation(type, StartWhenLeading.class);
        if (onType == null && beans.containsBeanDefinition(beanName)) {
            onType = beans.findAnnotationOnBean(beanName, StartWhenLeading.class, false);
        }
        return Optional.ofNullable(onType);
    }

    private void verifyLifecycle(Class<?> type, String beanName, String place) {
        if (beans.containsBeanDefinition(beanName) && !beans.isSingleton(beanName)) {
            throw StartWhenLeadingRules.refusal(
                    place, "it is not a singleton, and nobody would stop the instances", "Make it a singleton.");
        }
        if (AnnotatedElementUtils.hasAnnotation(type, LeaderOnly.class)) {
            throw StartWhenLeadingRules.refusal(
                    place, "its class is @LeaderOnly too, which gates start() and stop()", "Remove one of the two.");
        }
    }

    private Object guarded(Lifecycle lifecycle, LeaderComponent component) {
        NameMatchMethodPointcutAdvisor guard =
                new NameMatchMethodPointcutAdvisor(new StartGuard(components.all(), component));
        guard.setMappedNames("start", "stop", "isAutoStartup");
        ProxyFactory proxy = new ProxyFactory();
        proxy.copyFrom(this);
        proxy.setTarget(lifecycle);
        proxy.addAdvisor(guard);
        if (!proxy.isProxyTargetClass() || !canExtend(lifecycle.getClass())) {
            proxy.setProxyTargetClass(false);
            evaluateProxyInterfaces(lifecycle.getClass(), proxy);
        }
        return proxy.getProxy(getProxyClassLoader());
    }

    /**
     * Not so with spring-kafka's listener containers, for instance: no subclass can have another {@code start()}. What else
     * Spring asks of a life cycle must reach the target too.
     */
    private static boolean canExtend(Class<?> type) {
        return !Modifier.isFinal(type.getModifiers())
                && !Proxy.isProxyClass(type)
                && Arrays.stream(SmartLifecycle.class.getMethods()).allMatch(method -> isOpen(type, method));
    }

    private static boolean isOpen(Class<?> type, Method method) {
        Method found = ReflectionUtils.findMethod(type, method.getName(), method.getParameterTypes());
        return found == null || !Modifier.isFinal(found.getModifiers());
    }
}
