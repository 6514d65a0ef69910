package io.neli.internal.shell;

import org.jspecify.annotations.Nullable;

/** Thrown when the election cannot rely on a log, or not yet. The problem names the setting, its value and the fix. */
public final class UnusableLogException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    /** The log cannot be used until somebody changes something. */
    public UnusableLogException(String what, String fix) {
        this(new Problem(what, fix, false), null);
    }

    public UnusableLogException(Problem problem, @Nullable Throwable cause) {
        super(problem.text(), cause);
        this.problem = problem;
    }

    /** The log cannot be used until something changes, which may happen by itself. */
    public static UnusableLogException passing(String what, String fix) {
        return new UnusableLogException(new Problem(what, fix, true), null);
    }

    public Problem problem() {
        return problem;
    }
}
