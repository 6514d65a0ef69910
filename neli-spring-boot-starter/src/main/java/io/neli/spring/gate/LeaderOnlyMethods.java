package io.neli.spring.gate;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.neli.spring.LeaderOnly;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds {@link LeaderOnly} on a method or its class, on what these override or implement, and as a meta-annotation.
 * Decides only once how each method is handled.
 */
final class LeaderOnlyMethods extends StaticMethodMatcherPointcut {

    private final RoleResolver roles;
    private final Map<MethodClassKey, LeaderOnlyMethod> decided = new ConcurrentHashMap<>();

    LeaderOnlyMethods(RoleResolver roles) {
        this.roles = roles;
        setClassFilter(type -> AnnotationUtils.isCandidateClass(type, LeaderOnly.class));
    }

    @Override
    public boolean matches(Method method, Class<?> type) {
        return find(method, type).isPresent();
    }

    /** How calls of a matching method are handled. Throws if the annotation cannot work on it. */
    LeaderOnlyMethod of(Method method, Class<?> type) {
        Class<?> declared = ClassUtils.getUserClass(type);
        Method specific = AopUtils.getMostSpecificMethod(method, declared);
        return decided.computeIfAbsent(
                new MethodClassKey(specific, declared), key -> decide(method, specific, declared));
    }

    private LeaderOnlyMethod decide(Method method, Method specific, Class<?> type) {
        MergedAnnotation<LeaderOnly> annotation = find(method, type).orElseThrow();
        LeaderOnly leaderOnly = annotation.synthesize();
        String role = roles.resolve(leaderOnly.role(), new AnnotatedPlace(LeaderOnly.class, specific, type));
        Method annotated = annotation.getSource() instanceof Method source ? source : specific;
        return LeaderOnlyReturns.decide(role, leaderOnly, specific, annotated, type);
    }

    /** An annotation on the method takes precedence over one on the class. */
    static Optional<MergedAnnotation<LeaderOnly>> find(Method method, Class<?> type) {
        Method specific = AopUtils.getMostSpecificMethod(method, type);
        // Nobody wants a bean whose toString() returns null on a standby.
        Stream<Class<?>> onClass = ReflectionUtils.isObjectMethod(specific) ? Stream.empty() : Stream.of(type);
        Stream<Method> onMethod = Stream.concat(Stream.of(specific, method), onInterfaces(specific, type));
        return Stream.concat(onMethod, onClass)
                .map(LeaderOnlyMethods::on)
                .filter(MergedAnnotation::isPresent)
                .findFirst();
    }

    /** The interface methods that an inherited method implements, even if only the subclass has the interface. */
    private static Stream<Method> onInterfaces(Method inherited, Class<?> type) {
        return inherited.getDeclaringClass() == type
                ? Stream.empty()
                : Arrays.stream(ClassUtils.getAllInterfacesForClass(type))
                        .flatMap(face -> Arrays.stream(face.getMethods()))
                        .filter(method -> method.getName().equals(inherited.getName())
                                && AopUtils.getMostSpecificMethod(method, type).equals(inherited));
    }

    /** The annotation of the element itself: of a method, not of its class. */
    static MergedAnnotation<LeaderOnly> on(AnnotatedElement element) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).get(LeaderOnly.class);
    }
}
