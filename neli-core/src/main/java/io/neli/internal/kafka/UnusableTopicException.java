package io.neli.internal.kafka;

import io.neli.internal.shell.Problem;
import org.jspecify.annotations.Nullable;

/** The topic cannot be used; the message names the setting, its value and the fix. */
final class UnusableTopicException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    UnusableTopicException(String what, String fix) {
        this(new Problem(what, fix, false), null);
    }

    UnusableTopicException(Problem problem, @Nullable Throwable cause) {
        super(problem.text(), cause);
        this.problem = problem;
    }

    Problem problem() {
        return problem;
    }
}
