package io.neli.spring.autoconfigure;

/** A property without which there is no election, and which nothing else supplies. */
final class MissingNeliPropertyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String fix;

    MissingNeliPropertyException(String property, String alternative, String fix) {
        super("Neither " + property + " nor " + alternative + " is set. " + fix);
        this.fix = fix;
    }

    String fix() {
        return fix;
    }
}
