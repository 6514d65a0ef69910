package io.neli.internal.election;

/** Thrown if a promise of the protocol, or an expectation of a simulation, is broken. */
public final class Violation extends RuntimeException {

    private static final long serialVersionUID = 1;

    public Violation(String what) {
        super(what);
    }

    /** Throws one unless something holds that must. */
    public static void unless(boolean holds, String otherwise) {
        if (!holds) {
            throw new Violation(otherwise);
        }
    }
}
