package io.neli.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells which property to set. */
final class NeliPropertyFailureAnalyzer extends AbstractFailureAnalyzer<NeliPropertyException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, NeliPropertyException cause) {
        return new FailureAnalysis(
                "The leader election cannot be configured: " + cause.getMessage(), cause.fix(), cause);
    }
}
