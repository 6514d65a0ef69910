package io.neli.spring.gate;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.neli.LeaderEvent;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderOnly.Otherwise;
import io.neli.spring.autoconfigure.LeadershipListeners;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * Refuses {@link LeaderOnly} where it could not work: an annotation without effect would mean two members at work, so this is
 * an error at start-up and not a warning.
 */
final class LeaderOnlyVerification {

    private final LeaderOnlyMethods methods;

    LeaderOnlyVerification(LeaderOnlyMethods methods) {
        this.methods = methods;
    }

    /** Checks the methods as they are declared. */
    void verify(Class<?> type) {
        for (Method method : annotatedMethods(type)) {
            int modifiers = method.getModifiers();
            boolean neverCalledFromOutside = Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers);
            if (neverCalledFromOutside && !LeaderOnlyMethods.on(method).isPresent()) {
                continue; // a helper in an annotated class, called only by the others
            }
            AnnotatedPlace place = new AnnotatedPlace(LeaderOnly.class, method, type);
            verifyInterceptable(method, type, place);
            verifyCaller(method, type, place);
        }
    }

    /** Checks that the proxy has the methods: one that implements interfaces has no others. */
    void verifyExposed(Class<?> type, Object proxy) {
        if (!AopUtils.isJdkDynamicProxy(proxy) || Proxy.isProxyClass(type)) { // such a type has no other methods
            return;
        }
        Set<Method> exposed = Arrays.stream(ClassUtils.getAllInterfaces(proxy))
                .flatMap(face -> Arrays.stream(face.getMethods()))
                .map(method -> AopUtils.getMostSpecificMethod(method, type))
                .collect(Collectors.toSet());
        for (Method method : annotatedMethods(type)) {
            if (LeaderOnlyMethods.on(method).isPresent() && !exposed.contains(method)) {
                AnnotatedPlace place = new AnnotatedPlace(LeaderOnly.class, method, type);
                throw place.refusal(
                        "the bean's proxy implements interfaces, and none of them has the method",
                        "declare the method in an interface, or let Spring proxy classes"
                                + " (spring.aop.proxy-target-class=true)");
            }
        }
    }

    /** Refuses a proxy that has annotated methods of its own, as a repository has: only calls of what is behind it are checked. */
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

    private void refuseAnnotated(Class<?> type, String problem, String fix) {
        annotatedMethods(type).stream().findFirst().ifPresent(method -> {
            throw new AnnotatedPlace(LeaderOnly.class, method, type).refusal(problem, fix);
        });
    }

    private Set<Method> annotatedMethods(Class<?> type) {
        return MethodIntrospector.selectMethods(type, (MethodFilter) method -> methods.matches(method, type));
    }

    private static void verifyInterceptable(Method method, Class<?> type, AnnotatedPlace place) {
        int modifiers = method.getModifiers();
        int prevents = modifiers & (Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL);
        if (prevents != 0) {
            throw place.refusal(
                    "no proxy can intercept a " + Modifier.toString(prevents) + " method", "remove the modifier");
        }
        boolean packagePrivate = !Modifier.isPublic(modifiers) && !Modifier.isProtected(modifiers);
        if (packagePrivate && !method.getDeclaringClass().getPackageName().equals(type.getPackageName())) {
            throw place.refusal(
                    "it is package-private in another package than the bean's class, where no proxy can intercept it",
                    "make it protected or public");
        }
    }

    private void verifyCaller(Method method, Class<?> type, AnnotatedPlace place) {
        List<Class<?>> parameters = List.of(method.getParameterTypes());
        MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        if (LeadershipListeners.isListener(method)
                || parameters.stream().anyMatch(LeaderEvent.class::isAssignableFrom)) {
            throw place.refusal(
                    "it listens to an event of leadership, and no work begins while these are delivered",
                    "remove the annotation here, or move the method out of the annotated class");
        }
        if (annotations.isPresent(Bean.class)) {
            throw place.refusal(
                    "it is a @Bean method, which makes its bean on every member",
                    "put the annotation on the bean's class or its methods, or @StartWhenLeading on the @Bean method of"
                            + " what should run only while this member leads");
        }
        if (parameters.stream().map(Class::getName).anyMatch("kotlin.coroutines.Continuation"::equals)) {
            throw place.refusal(
                    "it is a suspending function, whose end is not that of its call",
                    "return a Mono or a CompletableFuture (mono { } and future { } of kotlinx-coroutines)");
        }
        if (methods.of(method, type).otherwise() == Otherwise.SKIP
                && (annotations.isPresent("org.springframework.kafka.annotation.KafkaListener")
                        || annotations.isPresent("org.springframework.kafka.annotation.KafkaHandler"))) {
            throw place.refusal(
                    "it consumes records, and those of a skipped call would be committed unread",
                    "use @StartWhenLeading, which lets its container run only while this member leads");
        }
    }
}
