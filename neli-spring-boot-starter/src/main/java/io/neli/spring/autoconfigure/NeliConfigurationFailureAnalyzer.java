package io.neli.spring.autoconfigure;

import io.neli.NeliConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells which property to change; the message of the election names the value and the fix. */
final class NeliConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<NeliConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, NeliConfigurationException cause) {
        return new FailureAnalysis(
                "The leader election cannot work as configured: " + cause.getMessage(),
                "Change '" + cause.property() + "' in the application's configuration.",
                cause);
    }
}
