package io.neli.internal.election.exhaustive;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers values in the order in which they occur. Equal values have equal numbers. */
final class Numbering<T> {

    private final List<T> values = new ArrayList<>();
    private final Map<T, Integer> numbers = new HashMap<>();

    T get(int number) {
        return values.get(number);
    }

    int numberOf(T value) {
        return numbers.computeIfAbsent(value, each -> {
            values.add(each);
            return values.size() - 1;
        });
    }
}
