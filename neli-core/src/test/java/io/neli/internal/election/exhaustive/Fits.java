package io.neli.internal.election.exhaustive;

/** Checks that small numbers, which are packed into one, do not overflow into each other. */
final class Fits {

    private Fits() {}

    static int in(int value, int bits) {
        if (value < 0 || value >= 1 << bits) {
            throw new IllegalStateException(value + " does not fit into " + bits + " bits");
        }
        return value;
    }
}
