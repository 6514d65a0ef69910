package io.neli;

/**
 * The election cannot work as it is set up: a setting is invalid, or the start waits for the election ({@link
 * NeliBuilder#failFast}) and Kafka cannot be used as configured. The message names the setting, its value and the fix.
 */
public final class NeliException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String problem;
    private final String fix;

    /**
     * Creates an exception whose message is the problem followed by the fix.
     *
     * @param problem names the setting and its value
     * @param fix what to do about the problem
     */
    public NeliException(String problem, String fix) {
        super(problem + "; " + fix);
        this.problem = problem;
        this.fix = fix;
    }

    public String problem() {
        return problem;
    }

    /** What to do about the problem. */
    public String fix() {
        return fix;
    }
}
