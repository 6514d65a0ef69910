package io.neli.internal.election.simulation;

import java.util.PriorityQueue;
import java.util.Queue;

import io.neli.internal.election.Violation;

/** Virtual time in nanoseconds. Runs actions in order of their instants, and of planning if these are equal. */
final class Timeline {

    private record Planned(long instant, int order, Runnable what) implements Comparable<Planned> {

        @Override
        public int compareTo(Planned other) {
            int first = Long.compare(instant, other.instant);
            return first == 0 ? Integer.compare(order, other.order) : first;
        }
    }

    /** About twenty times what a schedule needs. One that needs more runs in circles. */
    private static final int MOST_EVENTS = 1_000_000;

    private final Queue<Planned> planned = new PriorityQueue<>();
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
        planned.add(new Planned(Math.max(when, now), count++, what));
    }

    void runUntil(long end) {
        while (!planned.isEmpty() && planned.element().instant() <= end) {
            Planned next = planned.remove();
            now = next.instant();
            next.what().run();
        }
        now = end;
    }
}
