package io.neli.sample.lab.web;

/** There is no such thing; the message says what there is. */
public final class UnknownControlException extends RuntimeException {

    public UnknownControlException(String message) {
        super(message);
    }
}
