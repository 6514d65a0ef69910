package io.neli.internal.election;

/** A promise of the protocol, or what a simulation expects, is broken. */
public final class Violation extends RuntimeException {

    private static final long serialVersionUID = 1;

    public Violation(String what) {
        super(what);
    }
}
