package io.neli.internal.election.exhaustive;

/** A state in which the protocol's promise is broken. */
final class Violation extends RuntimeException {

    private static final long serialVersionUID = 1;

    Violation(String what) {
        super(what);
    }
}
