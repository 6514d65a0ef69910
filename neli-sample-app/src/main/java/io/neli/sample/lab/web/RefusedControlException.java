package io.neli.sample.lab.web;

/** Something cannot be done now; the message says why, and what to do first. */
public final class RefusedControlException extends RuntimeException {

    public RefusedControlException(String message) {
        super(message);
    }
}
