package io.neli;

/**
 * A start that was {@linkplain NeliBuilder#failFast told to wait} has found that the election cannot use Kafka as
 * configured: a right is missing, the brokers refuse the credentials or cannot be reached, or the topic is unfit. The
 * message names the setting, its value and the fix.
 */
public final class NeliStartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String problem;
    private final String fix;

    NeliStartException(String problem, String fix) {
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
