package io.neli.nats;

/** An error that the server reported while something failed, which may be the cause. */
final class Refusal extends Exception {

    private static final long serialVersionUID = 1L;

    Refusal(String what) {
        super(what);
    }
}
