package io.neli.spring.autoconfigure;

import java.lang.reflect.Constructor;
import java.util.List;

import io.neli.NeliConfigurationException;
import io.neli.NeliStartException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

import static org.assertj.core.api.Assertions.assertThat;

class FailureAnalyzersTest {

    @Test
    void a_setting_that_cannot_work_is_described_with_its_fix() throws ReflectiveOperationException {
        FailureAnalysis analysis = analyze(configurationException("neli.heartbeat-timeout", "1s", "raise it to 2s"));

        assertThat(analysis.getDescription()).contains("neli.heartbeat-timeout is '1s': raise it to 2s");
        assertThat(analysis.getAction()).contains("'neli.heartbeat-timeout'");
    }

    @Test
    void a_property_that_is_missing_is_described_with_its_fix() {
        FailureAnalysis analysis = analyze(
                new NeliPropertyException("Neither neli.group-id nor spring.application.name is set.", "Set it."));

        assertThat(analysis.getDescription()).contains("Neither neli.group-id nor spring.application.name is set.");
        assertThat(analysis.getAction()).isEqualTo("Set it.");
    }

    @Test
    void what_keeps_the_election_from_running_is_described_with_its_fix() throws ReflectiveOperationException {
        Constructor<NeliStartException> constructor =
                NeliStartException.class.getDeclaredConstructor(String.class, String.class);
        constructor.setAccessible(true);
        FailureAnalysis analysis =
                analyze(constructor.newInstance("neli.kafka.bootstrap-servers is 'localhost:1'", "check the address"));

        assertThat(analysis.getDescription()).contains("neli.kafka.bootstrap-servers is 'localhost:1'");
        assertThat(analysis.getAction()).startsWith("Check the address").contains("Without neli.fail-fast");
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

    private static NeliConfigurationException configurationException(String property, Object value, String problem)
            throws ReflectiveOperationException {
        Constructor<NeliConfigurationException> constructor =
                NeliConfigurationException.class.getDeclaredConstructor(String.class, Object.class, String.class);
        constructor.setAccessible(true);
        return constructor.newInstance(property, value, problem);
    }
}
