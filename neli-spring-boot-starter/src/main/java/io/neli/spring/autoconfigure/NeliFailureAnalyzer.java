package io.neli.spring.autoconfigure;

import io.neli.NeliException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.util.StringUtils;

/** Shows what is wrong with the election, and the fix. */
final class NeliFailureAnalyzer extends AbstractFailureAnalyzer<NeliException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, NeliException cause) {
        return new FailureAnalysis(sentence(cause.problem()), sentence(cause.fix()), cause);
    }

    private static String sentence(String text) {
        return text.startsWith("neli.") ? text + "." : StringUtils.capitalize(text) + ".";
    }
}
