package io.neli.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells which property to set. */
final class MissingNeliPropertyFailureAnalyzer extends AbstractFailureAnalyzer<MissingNeliPropertyException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, MissingNeliPropertyException cause) {
        return new FailureAnalysis(
                "The leader election cannot be configured: " + cause.getMessage(), cause.fix(), cause);
    }
}
