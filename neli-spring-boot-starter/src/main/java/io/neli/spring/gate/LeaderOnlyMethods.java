package io.neli.spring.gate;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderOnly.Runs;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
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

    private static final Set<String> EXCEPTION_HANDLERS = Set.of(
            "org.springframework.web.bind.annotation.ExceptionHandler",
            "org.springframework.messaging.handler.annotation.MessageExceptionHandler",
            "org.springframework.graphql.data.method.annotation.GraphQlExceptionHandler");

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

    static Map<Method, MergedAnnotation<LeaderOnly>> annotated(Class<?> type) {
        return MethodIntrospector.selectMethods(type, (MetadataLookup<MergedAnnotation<LeaderOnly>>)
                method -> find(method, type).orElse(null));
    }

    static boolean isJob(MergedAnnotation<LeaderOnly> annotation) {
        return annotation.getEnum("runs", Runs.class) != Runs.EVERY_TICK;
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
        // On a standby, toString() must not return null, and what handles the exception must not throw it again.
        boolean isExempt = ReflectionUtils.isObjectMethod(specific)
                || annotationNames(specific).anyMatch(EXCEPTION_HANDLERS::contains);
        Stream<Class<?>> onClass = isExempt ? Stream.empty() : Stream.of(type);
        Stream<Method> onMethod = Stream.concat(Stream.of(specific, method), onInterfaces(specific, type));
        return Stream.concat(onMethod, onClass)
                .map(LeaderOnlyMethods::on)
                .filter(MergedAnnotation::isPresent)
                .findFirst();
    }

    static Stream<String> annotationNames(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).stream()
                .map(annotation -> annotation.getType().getName());
    }

    /** The interface methods that an inherited method implements, even if only the subclass has the interface. */
    private static Stream<Method> onInterfaces(Method inherited, Class<?> type) {
        return inherited.getDeclaringClass() == type ? Stream.empty() : declarations(inherited, type);
    }

    /** The interface methods that a method of the type implements. */
    static Stream<Method> declarations(Method method, Class<?> type) {
        return Arrays.stream(ClassUtils.getAllInterfacesForClass(type))
                .flatMap(LeaderOnlyMethods::withParents)
                .flatMap(face -> Arrays.stream(face.getMethods()))
                .filter(declared -> declared.getName().equals(method.getName())
                        && AopUtils.getMostSpecificMethod(declared, type).equals(method));
    }

    private static Stream<Class<?>> withParents(Class<?> face) {
        return Stream.concat(
                Stream.of(face), Arrays.stream(face.getInterfaces()).flatMap(LeaderOnlyMethods::withParents));
    }

    /** The annotation of the element itself: of a method, not of its class. */
    static MergedAnnotation<LeaderOnly> on(AnnotatedElement element) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).get(LeaderOnly.class);
    }
}
