package io.neli.spring.autoconfigure;

import io.neli.NeliStartException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.util.StringUtils;

/** Tells what keeps the election from running, and what to do about it. */
final class NeliStartFailureAnalyzer extends AbstractFailureAnalyzer<NeliStartException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, NeliStartException cause) {
        return new FailureAnalysis(
                "The leader election cannot run, and neli.fail-fast is 'true': " + cause.problem() + ".",
                "%s%n%nWithout neli.fail-fast the application starts, and leads once it can."
                        .formatted(StringUtils.capitalize(cause.fix())),
                cause);
    }
}
