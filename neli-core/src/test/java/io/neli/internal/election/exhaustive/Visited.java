package io.neli.internal.election.exhaustive;

import java.util.Arrays;

/**
 * The worlds reached, in order, each with the move that led to it: a queue, a set and the way back in one. Exact: it
 * compares keys, not their hashes.
 */
final class Visited {

    private long[] high = new long[1 << 12];
    private long[] low = new long[1 << 12];
    private int[] from = new int[1 << 12];
    private int[] move = new int[1 << 12];
    private int[] table = new int[1 << 14];
    private int size;

    int size() {
        return size;
    }

    World get(int index) {
        return World.of(high[index], low[index]);
    }

    int from(int index) {
        return from[index];
    }

    Move move(int index) {
        return Move.of(move[index]);
    }

    boolean add(World world, int reachedFrom, int by) {
        long h = world.high();
        long l = world.low();
        int slot = slot(h, l);
        if (table[slot] != 0) {
            return false;
        }
        if (size == high.length) {
            high = Arrays.copyOf(high, 2 * size);
            low = Arrays.copyOf(low, 2 * size);
            from = Arrays.copyOf(from, 2 * size);
            move = Arrays.copyOf(move, 2 * size);
        }
        high[size] = h;
        low[size] = l;
        from[size] = reachedFrom;
        move[size] = by;
        size++;
        table[slot] = size;
        if (2 * size > table.length) {
            grow();
        }
        return true;
    }

    private int slot(long h, long l) {
        long mixed = (h * 0x9E3779B97F4A7C15L ^ l) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 29) * 0x94D049BB133111EBL;
        int slot = (int) (mixed >>> 32) & table.length - 1;
        while (table[slot] != 0 && (high[table[slot] - 1] != h || low[table[slot] - 1] != l)) {
            slot = slot + 1 & table.length - 1;
        }
        return slot;
    }

    private void grow() {
        table = new int[2 * table.length];
        for (int index = 0; index < size; index++) {
            table[slot(high[index], low[index])] = index + 1;
        }
    }
}
