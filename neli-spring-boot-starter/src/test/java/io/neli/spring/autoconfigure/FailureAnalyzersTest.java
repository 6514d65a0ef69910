package io.neli.spring.autoconfigure;

import java.util.List;
import java.util.regex.Pattern;

import io.neli.NeliException;
import io.neli.spring.LeaderKafkaTemplate;
import io.neli.spring.LeaderKafkaTemplates;
import io.neli.spring.LeaderOnly;
import io.neli.spring.StartWhenLeading;
import io.neli.spring.gate.LeaderOnlyAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@ExtendWith(OutputCaptureExtension.class)
class FailureAnalyzersTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    KafkaAutoConfiguration.class, NeliAutoConfiguration.class, LeaderOnlyAutoConfiguration.class))
            .withPropertyValues(
                    "neli.group-id=billing", "neli.roles=reports", "spring.kafka.bootstrap-servers=localhost:1");

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

    @ParameterizedTest
    @ValueSource(strings = {"com.example.Billing.on() returns", "management.health.neli-leader.enabled is 'true'"})
    void a_problem_that_begins_with_the_name_of_a_class_or_property_keeps_it(String problem) {
        assertThat(analyze(new NeliException(problem, "set one")).getDescription())
                .isEqualTo(problem + ".");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "neli.group-id=",
                "neli.topic.name=no topic",
                "neli.topic.replication-factor=0",
                "neli.topic.retention=1s",
                "neli.lease-duration=1ms",
                "neli.heartbeat-interval=0",
                "neli.handover-timeout=-1s",
                "neli.work.limit=1ms",
                "neli.fail-fast=-1s",
                "neli.partitions=0",
                "neli.roles=invoices,invoices",
                "neli.metadata[no key]=x",
                "neli.kafka.ssl.bundle=none",
                "neli.nats.servers=",
                "neli.nats.credentials=no.creds",
            })
    void each_invalid_property_is_analyzed_and_its_fix_is_said_once(String property) {
        assertRefused(application.withPropertyValues(property));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {PrivateMethod.class, UnknownRole.class, NoLifecycle.class, TemplateBean.class, TemplateSize.class
            })
    void each_bean_that_cannot_work_is_analyzed_and_its_fix_is_said_once(Class<?> bean) {
        assertRefused(application.withUserConfiguration(bean));
    }

    private static void assertRefused(ApplicationContextRunner refused) {
        refused.run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = analyze(context.getStartupFailure());
            assertThat(core(analysis.getDescription())).doesNotContainIgnoringCase(core(analysis.getAction()));
            assertThat(core(analysis.getAction())).doesNotContainIgnoringCase(core(analysis.getDescription()));
            assertThat(((NeliException) analysis.getCause()).fix()).isNotBlank();
        });
    }

    private static String core(String sentence) {
        return sentence.substring(0, sentence.length() - 1);
    }

    @Test
    void another_bean_with_the_name_of_the_election_is_not_told_to_override_it() {
        application.withBean("neli", String.class, () -> "none").run(context -> {
            FailureAnalysis analysis = analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("'neli'").doesNotContain("overrid");
            assertThat(analysis.getAction()).startsWith("Rename it.");
        });
    }

    @Test
    void the_log_of_an_application_that_is_refused_says_it_once(CapturedOutput output) {
        assertThatThrownBy(() -> run("neli.partitions=0")).hasStackTraceContaining("neli.partitions");
        assertThat(occurrences("neli.partitions is '0': it is out of range", output))
                .isEqualTo(1);
        assertThat(occurrences("se 1 to ", output)).isEqualTo(1);
    }

    @Test
    void so_does_that_of_one_that_does_not_wait_longer(CapturedOutput output) {
        assertThatThrownBy(() -> run("neli.fail-fast=1ms")).hasStackTraceContaining("neliLifecycle");
        assertThat(occurrences("neli.fail-fast, which is '1ms'", output)).isEqualTo(1);
        assertThat(occurrences("heck the address, the network and the servers' logs", output))
                .isEqualTo(1);
    }

    private static long occurrences(String text, CapturedOutput output) {
        return output.getAll().split(Pattern.quote(text), -1).length - 1;
    }

    private static void run(String property) {
        new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .run("--neli.group-id=billing", "--spring.kafka.bootstrap-servers=localhost:1", "--" + property)
                .close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    static class PrivateMethod {

        @LeaderOnly
        private void run() {}
    }

    static class UnknownRole {

        @LeaderOnly(role = "mail")
        void run() {}
    }

    @StartWhenLeading
    static class NoLifecycle {}

    static class TemplateBean {

        @Bean
        LeaderKafkaTemplate<?, ?> invoices(LeaderKafkaTemplates<?, ?> templates) {
            return templates.forRole("invoices");
        }
    }

    static class TemplateSize {

        TemplateSize(LeaderKafkaTemplates<?, ?> templates) {
            templates.forRole("invoices", 0);
        }
    }

    /** Like Boot: the first registered analyzer that knows any failure in the chain of causes. */
    static FailureAnalysis analyze(Throwable failure) {
        List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation()
                .load(
                        FailureAnalyzer.class,
                        ArgumentResolver.of(Environment.class, new StandardEnvironment()),
                        FailureHandler.handleMessage((message, problem) -> {}));
        return analyzers.stream()
                .filter(analyzer -> analyzer.getClass().getPackageName().startsWith("io.neli"))
                .map(analyzer -> analyzer.analyze(new IllegalStateException("wrapped", failure)))
                .filter(analysis -> analysis != null)
                .findFirst()
                .orElseThrow();
    }
}
