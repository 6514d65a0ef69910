package io.neli.sample.lab.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/** The last so many of something, in order. */
final class Bounded<T> {

    static final int LIMIT = 500;

    private final Deque<T> elements = new ArrayDeque<>();

    void add(T element) {
        if (elements.size() == LIMIT) {
            elements.removeFirst();
        }
        elements.addLast(element);
    }

    /** Not for an empty one. */
    T last() {
        return elements.getLast();
    }

    void removeLast() {
        elements.removeLast();
    }

    void replaceLast(T element) {
        removeLast();
        elements.addLast(element);
    }

    void removeIf(Predicate<T> filter) {
        elements.removeIf(filter);
    }

    boolean isEmpty() {
        return elements.isEmpty();
    }

    List<T> list() {
        return List.copyOf(elements);
    }

    List<T> listAnd(T another) {
        List<T> list = new ArrayList<>(elements);
        list.add(another);
        return List.copyOf(list);
    }
}
