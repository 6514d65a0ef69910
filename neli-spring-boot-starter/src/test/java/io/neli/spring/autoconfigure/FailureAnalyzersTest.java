package io.neli.spring.autoconfigure;

import java.util.List;

import io.neli.NeliException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

import static org.assertj.core.api.Assertions.assertThat;

class FailureAnalyzersTest {

    @Test
    void the_problem_is_described_and_the_fix_is_the_action_and_neither_is_printed_twice() {
        FailureAnalysis analysis =
                analyze(new NeliException("neli.lease-duration is '1s': too short", "raise it to 2s"));

        assertThat(analysis.getDescription()).isEqualTo("neli.lease-duration is '1s': too short.");
        assertThat(analysis.getAction()).isEqualTo("Raise it to 2s.");
    }

    @Test
    void a_problem_that_begins_with_a_word_is_written_as_a_sentence() {
        assertThat(analyze(new NeliException("neither is set", "set one")).getDescription())
                .isEqualTo("Neither is set.");
    }

    /** As Boot does it: the first registered analyzer that knows the failure, wherever in the causes that is. */
    static FailureAnalysis analyze(Throwable failure) {
        List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation()
                .load(FailureAnalyzer.class, FailureHandler.handleMessage((message, problem) -> {}));
        return analyzers.stream()
                .filter(analyzer -> analyzer.getClass().getPackageName().startsWith("io.neli"))
                .map(analyzer -> analyzer.analyze(new IllegalStateException("wrapped", failure)))
                .filter(analysis -> analysis != null)
                .findFirst()
                .orElseThrow();
    }
}
