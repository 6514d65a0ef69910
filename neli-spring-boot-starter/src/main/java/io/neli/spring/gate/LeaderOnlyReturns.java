package io.neli.spring.gate;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.Stream;

import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderOnly.Otherwise;
import io.neli.spring.LeaderOnly.Runs;
import org.springframework.core.CollectionFactory;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.Nullness;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** Decides by a method's return type whether and how the annotation can work on it. */
final class LeaderOnlyReturns {

    private static final boolean REACTOR_PRESENT =
            ClassUtils.isPresent("reactor.core.publisher.Flux", LeaderOnlyReturns.class.getClassLoader());

    /** Types of Spring MVC, which an application may lack. */
    private static final Set<String> LATE_RESPONSES = Set.of(
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    private LeaderOnlyReturns() {}

    /** How the method, which may override the annotated one, is handled. Throws if the return type cannot work. */
    static LeaderOnlyMethod decide(String role, LeaderOnly leaderOnly, Method method, Method annotated, Class<?> type) {
        AnnotatedPlace place = new AnnotatedPlace(LeaderOnly.class, method, type);
        Class<?> returned = GenericTypeResolver.resolveReturnType(method, type);
        String returns = "it returns " + returned.getSimpleName();
        boolean job = leaderOnly.runs() != Runs.EVERY_TICK;
        boolean reportsEnd = CompletionStage.class.isAssignableFrom(returned);
        ReactiveAdapter reactive =
                reportsEnd ? null : ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned);
        if ((!reportsEnd && Future.class.isAssignableFrom(returned))
                || (reactive != null && !reactive.getDescriptor().isDeferred())) {
            throw place.refusal(
                    returns + ", and nothing reports when that completes",
                    job ? "return void" : "return a CompletableFuture");
        }
        Class<?> content =
                ResolvableType.forMethodReturnType(method, type).getGeneric().resolve(Object.class);
        boolean collected = Collection.class.isAssignableFrom(returned); // no response, such as a list of emitters
        Class<?> late = isLateResponse(content) && !collected ? content : returned;
        if (Callable.class.isAssignableFrom(late) || BaseStream.class.isAssignableFrom(late) || isLateResponse(late)) {
            throw place.refusal(
                    "it returns " + late.getSimpleName() + ", whose work is done after the call has ended",
                    job ? "return void" : "return the result itself, such as a list, or a CompletableFuture");
        }
        if (!REACTOR_PRESENT && (reactive != null || Flow.Publisher.class.isAssignableFrom(returned))) {
            throw place.refusal(returns + ", which needs Reactor", "add io.projectreactor:reactor-core");
        }
        if (reactive != null && !returned.isAssignableFrom(reactive.getReactiveType())) {
            String general = reactive.getReactiveType().getSimpleName();
            throw place.refusal(returns + ", but a checked call can only return a " + general, "return a " + general);
        }
        boolean nullable = reactive == null
                ? !returned.isPrimitive() && (isNullable(method) || isNullable(annotated))
                : reactive.getDescriptor().supportsEmpty();
        Optional<Supplier<?>> skipped = reactive == null ? emptyValue(returned) : Optional.empty();
        if (leaderOnly.otherwise() == Otherwise.SKIP && skipped.isEmpty() && !nullable) {
            throw place.refusal(
                    returns + ", which has no value for a call that is skipped",
                    job
                            ? "return void"
                            : "return void, an Optional or another type that may be empty, or an object and make the method @Nullable; or"
                                    + " let it throw where this member does not lead: @LeaderOnly(otherwise = THROW)");
        }
        return new LeaderOnlyMethod(
                place, role, leaderOnly.otherwise(), skipped.orElse(() -> null), reactive, job ? method : null);
    }

    /** Whether what is returned is complete only later. */
    static boolean isLate(Class<?> returned) {
        return CompletionStage.class.isAssignableFrom(returned)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned) != null;
    }

    private static boolean isLateResponse(Class<?> type) {
        return Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass)
                .anyMatch(each -> LATE_RESPONSES.contains(each.getName()));
    }

    /** A supplier of empty values, new ones if they can be modified; empty if the type has no empty value. */
    @SuppressWarnings("FutureReturnValueIgnored") // the caller gets the future
    private static Optional<Supplier<?>> emptyValue(Class<?> type) {
        if (type == void.class || type == Void.class) {
            return Optional.of(() -> null);
        }
        if (type == Optional.class) {
            return Optional.of(Optional::empty);
        }
        if (type == CompletionStage.class || type == CompletableFuture.class) {
            return Optional.of(() -> CompletableFuture.completedFuture(null));
        }
        if (type.isArray()) {
            return Optional.of(() -> Array.newInstance(type.getComponentType(), 0));
        }
        if (Collection.class.isAssignableFrom(type)) {
            return tried(() -> CollectionFactory.createCollection(type, 0));
        }
        return Map.class.isAssignableFrom(type) ? tried(() -> CollectionFactory.createMap(type, 0)) : Optional.empty();
    }

    private static Optional<Supplier<?>> tried(Supplier<?> source) {
        try {
            return source.get() == null ? Optional.empty() : Optional.of(source);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static boolean isNullable(Method method) {
        return Nullness.forMethodReturnType(method) == Nullness.NULLABLE;
    }
}
