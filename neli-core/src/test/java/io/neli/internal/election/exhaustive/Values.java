package io.neli.internal.election.exhaustive;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.neli.internal.election.ElectionState;
import io.neli.internal.election.PartitionState;
import org.jspecify.annotations.Nullable;

/** A state that is compared by all of its fields: steps change copies, which do not define equality. */
record Values(ElectionState state) {

    private static final ClassValue<Field[]> FIELDS = new ClassValue<>() {
        @Override
        protected Field[] computeValue(Class<?> type) {
            return Stream.of(type.getDeclaredFields())
                    .filter(field -> !Modifier.isStatic(field.getModifiers()))
                    .peek(field -> field.setAccessible(true))
                    .toArray(Field[]::new);
        }
    };

    @Override
    public boolean equals(Object other) {
        return other instanceof Values values && areEqual(state, values.state);
    }

    /** A hash of the fields that change in most steps. */
    @Override
    public int hashCode() {
        int hash = 0;
        for (PartitionState partition : state.partitions()) {
            hash = 31 * hash + hash(partition);
        }
        return hash;
    }

    private static boolean areEqual(@Nullable Object a, @Nullable Object b) {
        if (a == b || a == null || b == null) {
            return a == b;
        }
        if (a instanceof List<?> as && b instanceof List<?> bs && isOfCopies(as)) {
            boolean equal = as.size() == bs.size();
            for (int i = 0; equal && i < as.size(); i++) {
                equal = areEqual(as.get(i), bs.get(i));
            }
            return equal;
        }
        if (a instanceof Cloneable || a instanceof ElectionState) {
            for (Field field : FIELDS.get(a.getClass())) {
                if (!areEqual(value(field, a), value(field, b))) {
                    return false;
                }
            }
            return true;
        }
        return a.equals(b);
    }

    private static int hash(@Nullable Object value) {
        int hash = 0;
        if (value instanceof List<?> list && isOfCopies(list)) {
            for (Object each : list) {
                hash = 31 * hash + hash(each);
            }
            return hash;
        }
        if (value instanceof Cloneable) {
            for (Field field : FIELDS.get(value.getClass())) {
                hash = 31 * hash + hash(value(field, value));
            }
            return hash;
        }
        return Objects.hashCode(value);
    }

    private static boolean isOfCopies(List<?> list) {
        return !list.isEmpty() && list.get(0) instanceof Cloneable;
    }

    private static @Nullable Object value(Field field, Object of) {
        try {
            return field.get(of);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
