package io.neli.spring.autoconfigure;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

import io.neli.LeaderListener;
import io.neli.Neli;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderOnlyBeanPostProcessor;
import io.neli.spring.StubNeli;
import io.neli.spring.autoconfigure.lifecycle.StartWhenLeadingAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class NeliAutoConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    KafkaAutoConfiguration.class,
                    NeliAutoConfiguration.class,
                    StartWhenLeadingAutoConfiguration.class));

    @Test
    void it_is_registered_as_an_auto_configuration() {
        assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
                .contains(NeliAutoConfiguration.class.getName(), StartWhenLeadingAutoConfiguration.class.getName());
    }

    @Test
    void every_bean_that_it_adds_is_named_after_its_package() {
        Set<String> without = new TreeSet<>();
        new ApplicationContextRunner()
                .withBean(StubNeli.class)
                .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class))
                .run(context -> without.addAll(Arrays.asList(context.getBeanDefinitionNames())));

        runner.withBean(StubNeli.class).run(context -> {
            Set<String> added = new TreeSet<>(Arrays.asList(context.getBeanDefinitionNames()));
            added.removeAll(without);
            assertThat(added)
                    .containsExactlyInAnyOrder(
                            "io.neli.spring.autoconfigure.NeliAutoConfiguration",
                            "io.neli.spring.autoconfigure.NeliEnabledConfiguration",
                            "neli-io.neli.spring.autoconfigure.NeliProperties",
                            "io.neli.spring.autoconfigure.LeaderEventPublisher",
                            "io.neli.spring.autoconfigure.NeliLifecycle",
                            "io.neli.spring.LeaderOnlyBeanPostProcessor",
                            "io.neli.spring.autoconfigure.lifecycle.StartWhenLeadingAutoConfiguration",
                            "io.neli.spring.autoconfigure.lifecycle.LeaderComponents",
                            "io.neli.spring.autoconfigure.lifecycle.ContextComponents",
                            "io.neli.spring.autoconfigure.lifecycle.StartWhenLeadingBeanPostProcessor",
                            "io.neli.spring.autoconfigure.lifecycle.LeaderListenerContainers",
                            "io.neli.spring.autoconfigure.lifecycle.ComponentStarter",
                            "io.neli.spring.autoconfigure.lifecycle.ComponentStopper");
        });
    }

    @Test
    void an_election_of_ones_own_replaces_ours_and_is_started_all_the_same() {
        runner.withBean("mine", StubNeli.class).run(context -> {
            assertThat(context).hasSingleBean(Neli.class).doesNotHaveBean("io.neli.Neli");
            assertThat(context.getBean(StubNeli.class).calls).containsExactly("start");
        });
    }

    @Test
    void a_gate_of_ones_own_replaces_ours() {
        runner.withBean(StubNeli.class).withUserConfiguration(OwnGate.class).run(context -> assertThat(context)
                .getBeanNames(LeaderOnlyBeanPostProcessor.class)
                .containsExactly("ownGate"));
    }

    @Test
    void the_gate_asks_the_election() {
        runner.withBean(StubNeli.class, StubNeli::leading).withBean(Job.class).run(context -> {
            assertThat(context.getBean(Job.class).run()).isEqualTo("ran");
            context.getBean(StubNeli.class).lead(false);
            assertThat(context.getBean(Job.class).run()).isNull();
            assertThat(context.getBean(StubNeli.class).work()).containsExactly("begin", "end", "refuse");
        });
    }

    @Test
    void proxies_extend_classes_unless_boot_is_told_otherwise() {
        ApplicationContextRunner withTask = runner.withBean(StubNeli.class).withBean("task", Task.class);

        withTask.run(context ->
                assertThat(AopUtils.isCglibProxy(context.getBean("task"))).isTrue());
        withTask.withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context -> assertThat(AopUtils.isJdkDynamicProxy(context.getBean("task")))
                        .isTrue());
    }

    @Test
    void nothing_is_created_ahead_of_the_post_processors(CapturedOutput output) {
        runner.withBean(StubNeli.class).withBean(Job.class).run(context -> assertThat(output)
                .doesNotContain("is not eligible for getting processed"));
        runner.withPropertyValues("neli.enabled=false").withBean(Job.class).run(context -> assertThat(output)
                .doesNotContain("is not eligible for getting processed"));
    }

    @Test
    void without_a_group_start_up_fails_and_tells_what_to_set() {
        runner.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(NeliPropertyException.class)
                .hasMessageContaining("neli.group-id"));
    }

    @Test
    void disabled_there_is_no_election_and_annotated_methods_are_skipped() {
        runner.withPropertyValues("neli.enabled=false").withBean(Job.class).run(context -> {
            assertThat(context).doesNotHaveBean(NeliLifecycle.class).doesNotHaveBean(LeaderListener.class);
            assertThat(context).hasSingleBean(Neli.class);
            assertThat(context.getBean(Neli.class).isLeader()).isFalse();
            assertThat(context.getBean(Neli.class).snapshot().problem().orElseThrow())
                    .contains("neli.enabled is 'false'");
            assertThat(context.getBean(Job.class).run()).isNull();
        });
    }

    @Test
    void disabled_annotated_methods_run_if_so_configured() {
        runner.withPropertyValues("neli.enabled=false", "neli.when-disabled=run")
                .withBean(Job.class)
                .run(context -> {
                    assertThat(context.getBean(Job.class).run()).isEqualTo("ran");
                    assertThat(context.getBean(Neli.class).isLeader()).isTrue();
                });
    }

    @Test
    void disabled_the_role_that_is_meant_by_default_is_the_first_of_the_list() {
        runner.withPropertyValues(
                        "neli.enabled=false",
                        "neli.when-disabled=run",
                        "neli.partitions=2",
                        "neli.roles=invoices,reports")
                .run(context -> {
                    Neli neli = context.getBean(Neli.class);
                    assertThat(neli.leadership().orElseThrow().role()).isEqualTo("invoices");
                    assertThat(neli.leadership("reports").orElseThrow().role()).isEqualTo("reports");
                    assertThat(neli.isLeader("any-name")).isTrue();
                });
    }

    @Test
    void a_placeholder_in_a_role_is_resolved_from_the_environment() {
        runner.withBean(StubNeli.class, StubNeli::leading)
                .withPropertyValues("billing.role=invoices")
                .withBean(RoleJob.class)
                .run(context -> {
                    context.getBean(RoleJob.class).run();
                    assertThat(context.getBean(StubNeli.class).work()).containsExactly("begin invoices", "end");
                });
    }

    @Test
    void a_placeholder_in_a_role_that_nothing_resolves_fails_start_up() {
        runner.withBean(StubNeli.class).withBean(RoleJob.class).run(context -> assertThat(context)
                .getFailure()
                .hasStackTraceContaining("RoleJob.run()")
                .hasStackTraceContaining("nothing resolves the placeholder in its role '${billing.role}'"));
    }

    @Test
    void a_role_that_the_core_refuses_fails_start_up() {
        runner.withPropertyValues(
                        "neli.group-id=billing",
                        "spring.kafka.bootstrap-servers=localhost:1",
                        "neli.roles=invoices,invoices")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("neli.roles is 'invoices'"));
    }

    @Test
    void disabled_a_choice_that_does_not_exist_is_refused() {
        runner.withPropertyValues("neli.enabled=false", "neli.when-disabled=maybe")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("neli.when-disabled"));
    }

    static class Job {

        @LeaderOnly
        String run() {
            return "ran";
        }
    }

    static class RoleJob {

        @LeaderOnly(role = "${billing.role}")
        String run() {
            return "ran";
        }
    }

    static class Task implements Runnable {

        @Override
        @LeaderOnly
        public void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnGate {

        @Bean
        static LeaderOnlyBeanPostProcessor ownGate() {
            return new LeaderOnlyBeanPostProcessor(StubNeli::standby);
        }
    }
}
