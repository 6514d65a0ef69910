package io.neli.nats;

/** What the server has said while something failed, which may be why. */
final class Refusal extends Exception {

    private static final long serialVersionUID = 1L;

    Refusal(String what) {
        super(what);
    }
}
