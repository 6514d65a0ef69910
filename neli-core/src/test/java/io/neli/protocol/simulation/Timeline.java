package io.neli.protocol.simulation;

import java.util.PriorityQueue;

/** Virtual time in nanoseconds: what is planned happens in order, and in the order of planning where instants are equal. */
final class Timeline {

    private record Planned(long at, long order, Runnable what) implements Comparable<Planned> {
        @Override
        public int compareTo(Planned other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Planned> planned = new PriorityQueue<>(256);
    private long now;
    private long count;

    long now() {
        return now;
    }

    void at(long when, Runnable what) {
        planned.add(new Planned(Math.max(when, now), count++, what));
    }

    void after(long delay, Runnable what) {
        at(now + delay, what);
    }

    void runUntil(long end) {
        for (Planned next = planned.peek(); next != null && next.at <= end; next = planned.peek()) {
            planned.remove();
            now = next.at;
            next.what.run();
        }
        now = end;
    }
}
