package io.neli.internal.election.exhaustive;

/** Small numbers are packed into one: none may spill into another. */
final class Fits {

    private Fits() {}

    static int in(int value, int bits) {
        if (value < 0 || value >= 1 << bits) {
            throw new IllegalStateException(value + " does not fit into " + bits + " bits");
        }
        return value;
    }
}
