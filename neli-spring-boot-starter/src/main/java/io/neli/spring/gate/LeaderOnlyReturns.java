package io.neli.spring.gate;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Supplier;

import io.neli.NeliException;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderOnly.Otherwise;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.Nullness;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/** Decides by a method's return type whether and how the annotation can work on it. */
final class LeaderOnlyReturns {

    private static final boolean REACTOR_PRESENT =
            ClassUtils.isPresent("reactor.core.publisher.Flux", LeaderOnlyReturns.class.getClassLoader());

    private LeaderOnlyReturns() {}

    /**
     * How the method is handled.
     *
     * @param annotated the one that carries the annotation, which the method may override or implement
     * @throws NeliException if the annotation cannot work on it
     */
    static LeaderOnlyMethod decide(String role, Otherwise otherwise, Method method, Method annotated, Class<?> type) {
        AnnotatedPlace place = new AnnotatedPlace(LeaderOnly.class, method, type);
        Class<?> returned = GenericTypeResolver.resolveReturnType(method, type);
        String returns = "it returns " + returned.getSimpleName();
        boolean reportsEnd = CompletionStage.class.isAssignableFrom(returned);
        ReactiveAdapter reactive =
                reportsEnd ? null : ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned);
        if ((!reportsEnd && Future.class.isAssignableFrom(returned))
                || (reactive != null && !reactive.getDescriptor().isDeferred())) {
            throw place.refusal(returns + ", and nothing reports when that completes", "return a CompletableFuture");
        }
        if (!REACTOR_PRESENT && (reactive != null || Flow.Publisher.class.isAssignableFrom(returned))) {
            throw place.refusal(returns + ", which needs Reactor", "add io.projectreactor:reactor-core");
        }
        boolean nullable = reactive == null
                ? !returned.isPrimitive() && (isNullable(method) || isNullable(annotated))
                : reactive.getDescriptor().supportsEmpty();
        Optional<Supplier<?>> skipped = reactive == null ? SkippedValues.of(returned) : Optional.empty();
        if (otherwise == Otherwise.SKIP && skipped.isEmpty() && !nullable) {
            throw place.refusal(
                    returns + ", which has no value for a call that is skipped", fix(returned, reactive != null));
        }
        return new LeaderOnlyMethod(place, role, otherwise, skipped.orElse(() -> null), reactive, null);
    }

    private static boolean isNullable(Method method) {
        return Nullness.forMethodReturnType(method) == Nullness.NULLABLE;
    }

    private static String fix(Class<?> returned, boolean reactive) {
        String value;
        if (reactive) {
            value = "return a type that may be empty";
        } else if (returned.isPrimitive()) {
            value = "return void or an Optional";
        } else {
            value = "return an Optional, or make the method @Nullable for null";
        }
        return value + ", or let it throw where this member does not lead: @LeaderOnly(otherwise = THROW)";
    }
}
