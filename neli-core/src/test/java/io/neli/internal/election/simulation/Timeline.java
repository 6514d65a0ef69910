package io.neli.internal.election.simulation;

import java.util.Arrays;
import java.util.Objects;

import io.neli.internal.election.Violation;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time in nanoseconds. Runs actions in order of their instants, and of planning if these are equal. It is a
 * binary heap on arrays, because most of a schedule's time is spent here.
 */
final class Timeline {

    /** About twenty times what a schedule needs. One that needs more runs in circles. */
    private static final int MOST_EVENTS = 1_000_000;

    private long[] instants = new long[256];
    private int[] orders = new int[256];
    private @Nullable Runnable[] planned = new @Nullable Runnable[256];
    private int size;
    private long now;
    private int count;

    long now() {
        return now;
    }

    void after(long delay, Runnable what) {
        at(now + delay, what);
    }

    void at(long when, Runnable what) {
        if (count == MOST_EVENTS) {
            throw new Violation("too busy: " + count + " events");
        }
        if (size == instants.length) {
            instants = Arrays.copyOf(instants, 2 * size);
            orders = Arrays.copyOf(orders, 2 * size);
            planned = Arrays.copyOf(planned, 2 * size);
        }
        long instant = Math.max(when, now);
        int order = count++;
        int hole = size++;
        while (hole > 0) {
            int parent = (hole - 1) >>> 1;
            if (instants[parent] <= instant) { // earlier planned actions go first
                break;
            }
            move(parent, hole);
            hole = parent;
        }
        put(hole, instant, order, what);
    }

    void runUntil(long end) {
        while (size > 0 && instants[0] <= end) {
            now = instants[0];
            removeFirst().run();
        }
        now = end;
    }

    private Runnable removeFirst() {
        Runnable first = Objects.requireNonNull(planned[0]);
        size--;
        long instant = instants[size];
        int order = orders[size];
        int hole = 0;
        for (int child = 1; child < size; child = 2 * hole + 1) {
            if (child + 1 < size && isBefore(child + 1, instants[child], orders[child])) {
                child++;
            }
            if (!isBefore(child, instant, order)) {
                break;
            }
            move(child, hole);
            hole = child;
        }
        put(hole, instant, order, Objects.requireNonNull(planned[size]));
        planned[size] = null;
        return first;
    }

    private boolean isBefore(int index, long instant, int order) {
        return instants[index] < instant || (instants[index] == instant && orders[index] < order);
    }

    private void move(int from, int to) {
        instants[to] = instants[from];
        orders[to] = orders[from];
        planned[to] = planned[from];
    }

    private void put(int index, long instant, int order, Runnable what) {
        instants[index] = instant;
        orders[index] = order;
        planned[index] = what;
    }
}
