package io.neli;

/**
 * A setting, role, job or annotation is invalid, a {@linkplain Neli#start() start} has failed, or a {@linkplain
 * Neli#history log} cannot be read. The message names what is wrong, with its value, and the fix.
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

    /** What is wrong, such as a setting and its value. */
    public String problem() {
        return problem;
    }

    /** What to do about the problem. */
    public String fix() {
        return fix;
    }
}
