package io.neli.nats;

import io.neli.internal.shell.Problem;

/** The election could not rely on the stream: a setting has to be changed first. */
final class UnusableStreamException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    UnusableStreamException(String what, String fix) {
        super(what);
        this.problem = new Problem(what, fix, false);
    }

    Problem problem() {
        return problem;
    }
}
