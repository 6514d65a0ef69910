package io.neli.spring.gate;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

import io.neli.spring.LeaderOnly;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;
import org.springframework.util.ClassUtils;

/**
 * Refuses {@link LeaderOnly} where it cannot work. With an annotation without effect two members would do the work, so
 * this is an error at start-up and not a warning.
 */
record LeaderOnlyVerification(LeaderOnlyMethods methods) {

    private static final Logger log = LoggerFactory.getLogger("io.neli");

    /** Checks the annotated methods: what calls them, such as by the bean's definition, and whether a proxy can. */
    void verify(Class<?> type, @Nullable BeanDefinition definition) {
        LeaderOnlyMethods.annotated(type).forEach((method, leaderOnly) -> {
            int modifiers = method.getModifiers();
            boolean neverCalledFromOutside = Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers);
            if (neverCalledFromOutside
                    && !LeaderOnlyMethods.on(method).isPresent()
                    && !LeaderOnlyCaller.isCalledBySpring(method)) {
                return; // a helper that only the class itself calls
            }
            AnnotatedPlace place = new AnnotatedPlace(LeaderOnly.class, method, type);
            LeaderOnlyCaller.of(method, type, definition, leaderOnly).ifPresent(caller -> {
                throw place.refusal(caller.problem, caller.fix);
            });
            verifyName(leaderOnly, place);
            verifyInterceptable(method, type, place);
            methods.of(method, type);
        });
    }

    /** Logs the methods that nothing calls: without scheduling, Spring ignores {@link Scheduled} silently. */
    void logUnscheduled(Class<?> type, ListableBeanFactory beans) {
        String[] scheduling = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                beans, ScheduledAnnotationBeanPostProcessor.class, true, false);
        if (scheduling.length > 0) {
            return;
        }
        LeaderOnlyMethods.annotated(type).forEach((method, leaderOnly) -> {
            boolean scheduled = !AnnotatedElementUtils.getMergedRepeatableAnnotations(method, Scheduled.class)
                    .isEmpty();
            if (scheduled && !LeaderOnlyMethods.isJob(leaderOnly)) {
                log.info(
                        "{}.{}() is @Scheduled, but scheduling is not enabled, so it never runs: add @EnableScheduling",
                        type.getName(),
                        method.getName());
            }
        });
    }

    /** Checks that the proxy has the annotated methods. A proxy of interfaces has only the methods of these. */
    void verifyExposed(Class<?> type, Object proxy) {
        if (!AopUtils.isJdkDynamicProxy(proxy) || Proxy.isProxyClass(type)) { // a type that is a proxy is complete
            return;
        }
        Set<Method> exposed = Arrays.stream(ClassUtils.getAllInterfaces(proxy))
                .flatMap(face -> Arrays.stream(face.getMethods()))
                .map(method -> AopUtils.getMostSpecificMethod(method, type))
                .collect(Collectors.toSet());
        for (Method method : LeaderOnlyMethods.annotated(type).keySet()) {
            if (LeaderOnlyMethods.on(method).isPresent() && !exposed.contains(method)) {
                AnnotatedPlace place = new AnnotatedPlace(LeaderOnly.class, method, type);
                throw place.refusal(
                        "the bean's proxy implements interfaces, and none of them has the method",
                        "declare the method in an interface, or let Spring proxy classes"
                                + " (spring.aop.proxy-target-class=true)");
            }
        }
    }

    /**
     * Refuses a proxy whose interfaces have annotated methods that the object behind it does not implement, as with a
     * repository: only calls of that object are checked.
     */
    void verifyReached(Object bean) {
        if (!AopUtils.isJdkDynamicProxy(bean)) {
            return;
        }
        Class<?> target = AopUtils.getTargetClass(bean);
        for (Class<?> face : AopProxyUtils.proxiedUserInterfaces(bean)) {
            if (!face.isAssignableFrom(target)) {
                refuseAnnotated(
                        face,
                        "the bean is a proxy, and " + target.getName() + " behind it does not implement the interface",
                        "put the annotation on a method of yours that calls this one");
            }
        }
    }

    /** Refuses a bean that is created too early to be proxied. */
    void verifyInTime(Class<?> type, String beanName) {
        refuseAnnotated(
                type,
                "bean '" + beanName + "' is created before the post processor of @LeaderOnly, because another post"
                        + " processor needs it, directly or not",
                "have that get it later, by an ObjectProvider or @Lazy, and declare post processors with static"
                        + " @Bean methods");
    }

    private static void refuseAnnotated(Class<?> type, String problem, String fix) {
        LeaderOnlyMethods.annotated(type).keySet().stream().findFirst().ifPresent(method -> {
            throw new AnnotatedPlace(LeaderOnly.class, method, type).refusal(problem, fix);
        });
    }

    private static void verifyInterceptable(Method method, Class<?> type, AnnotatedPlace place) {
        int modifiers = method.getModifiers();
        int prevents = modifiers & (Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL);
        if (prevents != 0) {
            throw place.refusal(
                    "no proxy can intercept a " + Modifier.toString(prevents) + " method",
                    LeaderOnlyMethods.on(method).isPresent()
                            ? "remove the modifier"
                            : "remove the modifier, or annotate methods instead of the class");
        }
        boolean packagePrivate = !Modifier.isPublic(modifiers) && !Modifier.isProtected(modifiers);
        if (packagePrivate && !method.getDeclaringClass().getPackageName().equals(type.getPackageName())) {
            throw place.refusal(
                    "it is package-private in another package than the bean's class, where no proxy can intercept it",
                    "make it protected or public");
        }
    }

    private static void verifyName(MergedAnnotation<LeaderOnly> leaderOnly, AnnotatedPlace place) {
        String name = leaderOnly.getString("name");
        if (!name.isEmpty() && !LeaderOnlyMethods.isJob(leaderOnly)) {
            throw place.refusal(
                    "it has a name, '" + name + "', but is not a job without 'runs'",
                    "add runs, such as runs = AT_LEAST_ONCE, or leave out 'name'");
        }
    }
}
