package io.neli.spring.gate;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Supplier;

import io.neli.NeliException;
import io.neli.spring.LeaderOnly.Otherwise;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.Nullness;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/** Decides by a method's return type whether and how the annotation can work on it. */
final class LeaderOnlyReturns {

    static final boolean REACTOR_PRESENT =
            ClassUtils.isPresent("reactor.core.publisher.Flux", LeaderOnlyReturns.class.getClassLoader());

    private final boolean reactorPresent;

    /** Refuses reactive types without Reactor. */
    LeaderOnlyReturns(boolean reactorPresent) {
        this.reactorPresent = reactorPresent;
    }

    /**
     * How the method is handled.
     *
     * @param annotated the one that carries the annotation, which the method may override or implement
     * @throws NeliException if the annotation cannot work on it
     */
    LeaderOnlyMethod decide(String role, Otherwise otherwise, Method method, Method annotated, Class<?> type) {
        Class<?> returned = GenericTypeResolver.resolveReturnType(method, type);
        if (isEndUnknown(returned)) {
            throw LeaderOnlyVerification.refusal(
                    method,
                    type,
                    "it returns " + returned.getSimpleName() + ", and nothing reports when that completes",
                    "return a CompletableFuture");
        }
        ReactiveAdapter reactive = adapter(returned, method, type);
        Optional<Supplier<?>> skipped = reactive == null ? skipped(returned, method, annotated) : skipped(reactive);
        if (otherwise == Otherwise.SKIP && skipped.isEmpty()) {
            throw LeaderOnlyVerification.refusal(
                    method,
                    type,
                    "it returns " + returned.getSimpleName() + ", which has no value for a call that is skipped",
                    fix(returned, reactive != null));
        }
        return new LeaderOnlyMethod(role, otherwise, skipped.orElse(() -> null), reactive, null);
    }

    private static boolean isEndUnknown(Class<?> returned) {
        if (CompletionStage.class.isAssignableFrom(returned)) {
            return false;
        }
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned);
        return Future.class.isAssignableFrom(returned)
                || (adapter != null && !adapter.getDescriptor().isDeferred());
    }

    private @Nullable ReactiveAdapter adapter(Class<?> returned, Method method, Class<?> type) {
        if (CompletionStage.class.isAssignableFrom(returned)) {
            return null;
        }
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned);
        if (!reactorPresent && (adapter != null || Flow.Publisher.class.isAssignableFrom(returned))) {
            throw LeaderOnlyVerification.refusal(
                    method,
                    type,
                    "it returns " + returned.getSimpleName() + ", which needs Reactor",
                    "add io.projectreactor:reactor-core");
        }
        return adapter;
    }

    private static Optional<Supplier<?>> skipped(ReactiveAdapter reactive) {
        return reactive.getDescriptor().supportsEmpty() ? Optional.of(() -> null) : Optional.empty();
    }

    private static Optional<Supplier<?>> skipped(Class<?> returned, Method method, Method annotated) {
        Optional<Supplier<?>> skipped = SkippedValues.of(returned);
        return skipped.isEmpty() && !returned.isPrimitive() && (isNullable(method) || isNullable(annotated))
                ? Optional.of(() -> null)
                : skipped;
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
