package io.neli.spring.gate;

import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import org.springframework.core.CollectionFactory;

/** What a skipped call returns where the return type has an empty value. */
final class SkippedValues {

    private static final Map<Class<?>, Supplier<?>> BY_TYPE = Map.ofEntries(
            Map.entry(void.class, () -> null),
            Map.entry(Void.class, () -> null),
            Map.entry(Optional.class, Optional::empty),
            Map.entry(OptionalInt.class, OptionalInt::empty),
            Map.entry(OptionalLong.class, OptionalLong::empty),
            Map.entry(OptionalDouble.class, OptionalDouble::empty),
            Map.entry(CompletionStage.class, SkippedValues::completed),
            Map.entry(CompletableFuture.class, SkippedValues::completed),
            Map.entry(Iterable.class, ArrayList::new),
            Map.entry(Queue.class, ArrayDeque::new),
            Map.entry(Deque.class, ArrayDeque::new));

    private SkippedValues() {}

    /** A source of such values, each a new one if it can be modified; empty where the type has none. */
    static Optional<Supplier<?>> of(Class<?> type) {
        Supplier<?> known = BY_TYPE.get(type);
        if (known != null) {
            return Optional.of(known);
        }
        if (type.isArray()) {
            Object none = Array.newInstance(type.getComponentType(), 0);
            return Optional.of(() -> none);
        }
        if (Collection.class.isAssignableFrom(type)) {
            return tried(() -> CollectionFactory.createCollection(type, 0));
        }
        if (Map.class.isAssignableFrom(type)) {
            return tried(() -> CollectionFactory.createMap(type, 0));
        }
        return Optional.empty();
    }

    private static Optional<Supplier<?>> tried(Supplier<?> source) {
        try {
            return source.get() == null ? Optional.empty() : Optional.of(source);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the caller gets it
    private static Object completed() {
        return CompletableFuture.completedFuture(null);
    }
}
