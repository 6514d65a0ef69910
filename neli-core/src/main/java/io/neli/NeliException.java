package io.neli;

/**
 * The election cannot work as it is set up: a setting is invalid or, where the start waits for the election ({@link
 * NeliBuilder#failFast}), Kafka cannot be used as configured. The message names the setting, its value and the fix.
 */
public final class NeliException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String problem;
    private final String fix;

    /**
     * An exception whose message is the problem followed by the fix.
     *
     * @param problem what is wrong: names the setting and its value
     * @param fix what to do about it
     */
    public NeliException(String problem, String fix) {
        super(problem + "; " + fix);
        this.problem = problem;
        this.fix = fix;
    }

    /** What is wrong. */
    public String problem() {
        return problem;
    }

    /** What to do about it. */
    public String fix() {
        return fix;
    }
}
