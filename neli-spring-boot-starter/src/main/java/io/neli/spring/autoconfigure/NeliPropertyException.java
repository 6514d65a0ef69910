package io.neli.spring.autoconfigure;

/** A property that is missing, or cannot be what it is beside the application's other settings. */
final class NeliPropertyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String fix;

    NeliPropertyException(String problem, String fix) {
        super(problem + " " + fix);
        this.fix = fix;
    }

    String fix() {
        return fix;
    }
}
