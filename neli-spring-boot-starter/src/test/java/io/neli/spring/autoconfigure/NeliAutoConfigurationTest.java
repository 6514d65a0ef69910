package io.neli.spring.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

import io.neli.LeaderListener;
import io.neli.LeaderWork;
import io.neli.Leadership;
import io.neli.Neli;
import io.neli.NeliBuilder;
import io.neli.NeliException;
import io.neli.spring.LeaderAcquiredEvent;
import io.neli.spring.LeaderOnly;
import io.neli.spring.StartWhenLeading;
import io.neli.spring.StubNeli;
import io.neli.spring.autoconfigure.endpoint.NeliEndpointAutoConfiguration;
import io.neli.spring.autoconfigure.health.NeliHealthContributorAutoConfiguration;
import io.neli.spring.autoconfigure.metrics.NeliMetricsAutoConfiguration;
import io.neli.spring.gate.LeaderOnlyAutoConfiguration;
import io.neli.test.FakeNeli;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.io.FileUrlResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

@ExtendWith(OutputCaptureExtension.class)
class NeliAutoConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    KafkaAutoConfiguration.class, NeliAutoConfiguration.class, LeaderOnlyAutoConfiguration.class));

    @Test
    void it_is_registered_as_an_auto_configuration() {
        assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
                .contains(
                        NeliAutoConfiguration.class.getName(),
                        NeliEndpointAutoConfiguration.class.getName(),
                        NeliWebAutoConfiguration.class.getName(),
                        NeliHealthContributorAutoConfiguration.class.getName(),
                        LeaderOnlyAutoConfiguration.class.getName(),
                        NeliMetricsAutoConfiguration.class.getName());
    }

    @Test
    void a_misspelt_property_is_reported(CapturedOutput output) {
        runner.withPropertyValues(
                        "neli.group-id=billing", "neli.kafka.bootstrap-servers=localhost:1", "neli.lease-duratoin=5s")
                .run(context -> assertThat(output).contains("neli.lease-duratoin is set in"));
    }

    @Test
    void of_two_elections_of_the_application_one_must_be_primary() {
        ApplicationContextRunner first = runner.withBean("first", FakeNeli.class, FakeNeli::standby);
        first.withBean("second", FakeNeli.class, FakeNeli::standby).run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(NeliException.class)
                .hasMessageContaining("the beans [first, second]"));
        assertThatEventsComeFromTheSecond(
                first.withBean("second", FakeNeli.class, FakeNeli::standby, bean -> bean.setPrimary(true)));
        assertThatEventsComeFromTheSecond(
                runner.withBean("first", FakeNeli.class, FakeNeli::standby, bean -> bean.setFallback(true))
                        .withBean("second", FakeNeli.class, FakeNeli::standby));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_mock_is_refused_before_another_bean_fails_with_it(boolean enabled) {
        runner.withBean(MetricsAutoConfiguration.class) // binds the meters before later singletons are notified
                .withConfiguration(AutoConfigurations.of(
                        CompositeMeterRegistryAutoConfiguration.class,
                        SimpleMetricsExportAutoConfiguration.class,
                        NeliMetricsAutoConfiguration.class))
                .withPropertyValues("neli.enabled=" + enabled)
                .withBean(Neli.class, () -> mock(Neli.class))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(NeliException.class)
                        .hasMessageContaining("@NeliTest"));
    }

    private static void assertThatEventsComeFromTheSecond(ApplicationContextRunner two) {
        two.withBean(Acquisitions.class).run(context -> {
            context.getBean("first", FakeNeli.class).acquire();
            assertThat(context.getBean(Acquisitions.class).heard).isEmpty();
            context.getBean("second", FakeNeli.class).acquire();
            assertThat(context.getBean(Acquisitions.class).heard).hasSize(1);
        });
    }

    @Test
    void the_publisher_of_events_backs_off_for_one_of_the_application() {
        runner.withBean(FakeNeli.class, FakeNeli::standby)
                .withBean("neliEventPublisher", Object.class, Object::new)
                .withBean(Acquisitions.class)
                .run(context -> {
                    context.getBean(FakeNeli.class).acquire();
                    assertThat(context.getBean(Acquisitions.class).heard).isEmpty();
                });
    }

    static class Acquisitions {

        final List<LeaderAcquiredEvent> heard = new CopyOnWriteArrayList<>();

        @EventListener
        void on(LeaderAcquiredEvent event) {
            heard.add(event);
        }
    }

    /** An auto-configuration that does not apply costs less if Boot need not load its class. */
    @Test
    void its_conditions_are_known_before_a_class_is_loaded() throws IOException {
        Properties metadata = new Properties();
        URL root = NeliAutoConfiguration.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation();
        try (InputStream file = new FileUrlResource(root)
                .createRelative("META-INF/spring-autoconfigure-metadata.properties")
                .getInputStream()) {
            metadata.load(file);
        }
        assertThat(metadata)
                .containsEntry(
                        NeliEndpointAutoConfiguration.class.getName() + ".AutoConfigureAfter",
                        NeliAutoConfiguration.class.getName())
                .containsKey(NeliMetricsAutoConfiguration.class.getName() + ".ConditionalOnClass");
    }

    @Test
    void every_bean_that_it_adds_is_of_a_type_of_ours_and_named_after_its_package() {
        Set<String> without = new TreeSet<>();
        new ApplicationContextRunner()
                .withBean(StubNeli.class)
                .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class))
                .run(context -> without.addAll(Arrays.asList(context.getBeanDefinitionNames())));

        runner.withBean(StubNeli.class).run(context -> {
            Set<String> added = new TreeSet<>(Arrays.asList(context.getBeanDefinitionNames()));
            added.removeAll(without);
            assertThat(added)
                    .allSatisfy(
                            name -> assertThat(context.getType(name).getName()).startsWith("io.neli."));
            assertThat(added)
                    .containsExactlyInAnyOrder(
                            "io.neli.spring.autoconfigure.NeliAutoConfiguration",
                            "io.neli.spring.autoconfigure.NeliEnabledConfiguration",
                            "io.neli.spring.autoconfigure.LeaderKafkaConfiguration",
                            "io.neli.spring.autoconfigure.NeliNatsConfiguration",
                            "io.neli.spring.autoconfigure.MockVerification",
                            "io.neli.spring.autoconfigure.NeliEnabledConfiguration$OnKafka",
                            "neliOnKafka",
                            "leaderKafkaTemplates",
                            "neli-io.neli.spring.autoconfigure.NeliProperties",
                            "neliEventPublisher",
                            "neliHandoverObservations",
                            "neliListenerBeans",
                            "neliEventListenerFactory",
                            "neliLifecycle",
                            "neliReadyCandidate",
                            "io.neli.spring.gate.LeaderOnlyAutoConfiguration",
                            "leaderOnlyBeanPostProcessor",
                            "neliRoleResolver",
                            "neliScheduledJobs",
                            "neliSkippedTicks",
                            "io.neli.spring.gate.LeaderOnlyAutoConfiguration$Kafka",
                            "io.neli.spring.gate.LeaderOnlyAutoConfiguration$Events",
                            "neliLeaderComponents",
                            "neliContextComponents",
                            "neliStartedBeans",
                            "startWhenLeadingBeanPostProcessor",
                            "leaderListenerContainers",
                            "neliComponentStarter",
                            "neliComponentStopper");
        });
    }

    @Test
    void so_are_the_beans_for_the_actuator_except_the_health_indicator_whose_name_is_shown() {
        ApplicationContextRunner actuator = new ApplicationContextRunner()
                .withBean(StubNeli.class)
                .withPropertyValues("management.endpoints.web.exposure.include=neli")
                .withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class,
                        CompositeMeterRegistryAutoConfiguration.class,
                        SimpleMetricsExportAutoConfiguration.class,
                        NeliAutoConfiguration.class));
        Set<String> without = new TreeSet<>();
        actuator.run(context -> without.addAll(Arrays.asList(context.getBeanDefinitionNames())));

        actuator.withConfiguration(AutoConfigurations.of(
                        NeliEndpointAutoConfiguration.class,
                        NeliHealthContributorAutoConfiguration.class,
                        NeliMetricsAutoConfiguration.class))
                .run(context -> {
                    Set<String> added = new TreeSet<>(Arrays.asList(context.getBeanDefinitionNames()));
                    added.removeAll(without);
                    assertThat(added)
                            .containsExactlyInAnyOrder(
                                    "io.neli.spring.autoconfigure.endpoint.NeliEndpointAutoConfiguration",
                                    "neliEndpoint",
                                    "neliEndpointRequests",
                                    "io.neli.spring.autoconfigure.health.NeliHealthContributorAutoConfiguration",
                                    "neliHealthIndicator",
                                    "io.neli.spring.autoconfigure.metrics.NeliMetricsAutoConfiguration",
                                    "neliMeterBinder");
                });
    }

    @Test
    void without_actuator_and_micrometer_everything_else_is_as_usual() {
        new ApplicationContextRunner()
                .withBean(StubNeli.class)
                .withUserConfiguration(Everything.class)
                .withClassLoader(new FilteredClassLoader(
                        "org.springframework.boot.actuate",
                        "org.springframework.boot.health",
                        "org.springframework.boot.micrometer",
                        "io.micrometer"))
                .run(context -> assertThat(context)
                        .hasSingleBean(NeliLifecycle.class)
                        .doesNotHaveBean("neliHealthIndicator")
                        .doesNotHaveBean("neliEndpoint")
                        .doesNotHaveBean("neliMeterBinder"));
    }

    @Test
    void an_election_of_the_application_replaces_ours_and_is_started_too() {
        runner.withBean("mine", StubNeli.class).run(context -> {
            assertThat(context).hasSingleBean(Neli.class).doesNotHaveBean("neli");
            assertThat(context.getBean(StubNeli.class).calls).containsExactly("start");
        });
    }

    @Test
    void an_expression_can_ask_the_election_by_its_name() {
        ApplicationContextRunner asking = runner.withBean(Asking.class);

        asking.withPropertyValues("neli.group-id=billing", "neli.kafka.bootstrap-servers=localhost:1")
                .run(context ->
                        assertThat(context.getBean(Asking.class).told(context)).isEqualTo(0));
        asking.withPropertyValues("neli.enabled=false", "neli.when-disabled=run")
                .run(context ->
                        assertThat(context.getBean(Asking.class).told(context)).isEqualTo(1));
    }

    @Test
    void customizers_change_what_the_properties_say_in_their_order() {
        ApplicationContextRunner customized = runner.withPropertyValues(
                        "neli.group-id=billing", "neli.kafka.bootstrap-servers=localhost:1", "neli.name=alice")
                .withBean("last", NeliBuilderCustomizer.class, () -> new Renamed("carol", Ordered.LOWEST_PRECEDENCE))
                .withBean("first", NeliBuilderCustomizer.class, () -> new Renamed("bob", 0));

        customized.run(context ->
                assertThat(context.getBean(Neli.class).snapshot().name()).isEqualTo("carol"));
        customized
                .withPropertyValues("neli.enabled=false", "neli.when-disabled=run", "neli.roles=invoices")
                .run(context -> assertThat(context.getBean(Neli.class)
                                .leadership()
                                .orElseThrow()
                                .role())
                        .isEqualTo("carol"));
    }

    private record Renamed(String name, int getOrder) implements NeliBuilderCustomizer, Ordered {

        @Override
        public void customize(NeliBuilder builder) {
            builder.name(name).roles(name);
        }
    }

    @Test
    void annotated_methods_ask_the_election() {
        runner.withBean(StubNeli.class, StubNeli::leading).withBean(Job.class).run(context -> {
            assertThat(context.getBean(Job.class).run()).hasValue("ran");
            context.getBean(StubNeli.class).lead(false);
            assertThat(context.getBean(Job.class).run()).isEmpty();
            assertThat(context.getBean(StubNeli.class).work()).containsExactly("begin", "end", "refuse");
        });
    }

    @Test
    void proxies_extend_classes_unless_boot_is_configured_otherwise() {
        ApplicationContextRunner withTask = runner.withBean(StubNeli.class).withBean("task", Task.class);

        withTask.run(context ->
                assertThat(AopUtils.isCglibProxy(context.getBean("task"))).isTrue());
        withTask.withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context -> assertThat(AopUtils.isJdkDynamicProxy(context.getBean("task")))
                        .isTrue());
    }

    @Test
    void nothing_is_created_before_the_post_processors(CapturedOutput output) {
        runner.withBean(StubNeli.class).withBean(Job.class).run(context -> assertThat(output)
                .doesNotContain("is not eligible for getting processed"));
        runner.withPropertyValues("neli.enabled=false").withBean(Job.class).run(context -> assertThat(output)
                .doesNotContain("is not eligible for getting processed"));
    }

    @Test
    void a_test_that_joins_an_election_is_told_how_not_to(CapturedOutput output) {
        runner.run(context -> assertThat(output).containsOnlyOnce("In tests, @NeliTest"));
        runner.withClassLoader(new FilteredClassLoader(SpringBootTest.class))
                .run(context -> assertThat(output).containsOnlyOnce("In tests, @NeliTest"));
    }

    @Test
    void an_application_name_that_no_topic_can_have_is_blamed_itself() {
        runner.withPropertyValues("spring.application.name=My Billing").run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessage("neli.group-id is 'My Billing': the topic 'My Billing.neli', which is named after it, would"
                        + " not be legal (the default of the group id is spring.application.name); set neli.group-id to"
                        + " at most 239 letters, digits, '.', '_' and '-', such as 'my-billing', or set neli.topic.name"
                        + " too"));
    }

    @Test
    void a_duration_without_a_unit_is_in_seconds() {
        runner.withPropertyValues(
                        "neli.group-id=billing", "neli.kafka.bootstrap-servers=localhost:1", "neli.handover-timeout=30")
                .run(context -> assertThat(context.getBean(Neli.class).handoverTimeout())
                        .isEqualTo(Duration.ofSeconds(30)));
    }

    @Test
    void without_a_group_start_up_fails_and_says_what_to_set() {
        runner.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(NeliException.class)
                .hasMessageContaining("neli.group-id"));
    }

    @Test
    void disabled_there_is_no_election_and_annotated_methods_are_skipped() {
        runner.withPropertyValues("neli.enabled=false").withBean(Job.class).run(context -> {
            assertThat(context).doesNotHaveBean(NeliLifecycle.class).doesNotHaveBean(LeaderEventPublisher.class);
            assertThat(context).hasSingleBean(Neli.class);
            assertThat(context.getBean(Neli.class).isLeader()).isFalse();
            assertThat(context.getBean(Neli.class).snapshot().problem()).isEmpty();
            assertThat(context.getBean(Job.class).run()).isEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "no", "off", "False"})
    void it_is_disabled_by_each_value_that_is_bound_as_false(String value) {
        runner.withPropertyValues("neli.enabled=" + value).withBean(Job.class).run(context -> {
            assertThat(context).doesNotHaveBean(NeliLifecycle.class).doesNotHaveBean("neliComponentStarter");
            assertThat(context.getBean(Job.class).run()).isEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "yes", "on", "True"})
    void it_is_enabled_by_each_value_that_is_bound_as_true(String value) {
        ApplicationContextRunner enabled = runner.withBean(StubNeli.class, StubNeli::leading)
                .withPropertyValues("neli.enabled=" + value, "neli.require-readiness=" + value);

        enabled.run(context -> {
            assertThat(context).hasSingleBean(NeliLifecycle.class).hasBean("neliComponentStarter");
            assertThat(context.getBean(Neli.class).isLeader())
                    .as("before it is ready")
                    .isFalse();
        });
        enabled.withPropertyValues("neli.candidate=" + value)
                .run(context ->
                        assertThat(context.getBean(Neli.class).isLeader()).isFalse());
    }

    @Test
    void readiness_changes_nothing_unless_it_is_required() {
        runner.withBean(StubNeli.class, StubNeli::leading).run(context -> {
            AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
            assertThat(context.getBean(Neli.class).isLeader()).isTrue();
        });
    }

    @Test
    void readiness_does_not_make_an_observer_a_candidate() {
        runner.withBean(StubNeli.class, StubNeli::standby)
                .withPropertyValues("neli.require-readiness=true", "neli.candidate=false")
                .run(context -> {
                    AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
                    assertThat(context.getBean(Neli.class).isLeader()).isFalse();
                });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_switch_that_differs_from_the_one_at_build_time_is_refused(boolean processed) {
        runner.withPropertyValues("neli.enabled=" + processed)
                .withInitializer(context -> setOnceConditionsHaveMatched(context, "neli.enabled=" + !processed))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(NeliException.class)
                        .hasMessageContainingAll(
                                "neli.enabled is '" + !processed + "'",
                                "processed ahead of time with neli.enabled=" + processed,
                                "process it again with neli.enabled=" + !processed));
    }

    @Test
    void readiness_can_be_required_after_build_time() {
        runner.withBean(StubNeli.class, StubNeli::leading)
                .withInitializer(context -> setOnceConditionsHaveMatched(context, "neli.require-readiness=true"))
                .run(context ->
                        assertThat(context.getBean(Neli.class).isLeader()).isFalse());
    }

    /** Sets a property when the definitions of beans are complete, as where they were made ahead of time. */
    static void setOnceConditionsHaveMatched(ConfigurableApplicationContext context, String property) {
        context.addBeanFactoryPostProcessor(
                beans -> TestPropertyValues.of(property).applyTo(context));
    }

    @Test
    void disabled_it_still_shows_the_group() {
        ApplicationContextRunner disabled = runner.withPropertyValues("neli.enabled=false");

        disabled.run(context -> assertThat(groupOf(context)).isEqualTo("disabled"));
        disabled.withPropertyValues("spring.application.name=billing")
                .run(context -> assertThat(groupOf(context)).isEqualTo("billing"));
        disabled.withPropertyValues("spring.application.name=billing", "neli.group-id=invoices")
                .run(context -> assertThat(groupOf(context)).isEqualTo("invoices"));
    }

    private static String groupOf(ApplicationContext context) {
        return context.getBean(Neli.class).snapshot().groupId();
    }

    @Test
    void disabled_annotated_methods_run_if_so_configured(CapturedOutput output) {
        runner.withPropertyValues("neli.enabled=false", "neli.when-disabled=run")
                .withBean(Job.class)
                .run(context -> {
                    assertThat(context.getBean(Job.class).run()).hasValue("ran");
                    assertThat(context.getBean(Neli.class).isLeader()).isTrue();
                    assertThat(output).containsOnlyOnce("@StartWhenLeading beans run, as on a leader");
                });
    }

    @Test
    void disabled_the_default_role_is_the_first_of_the_list() {
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
    void disabled_work_is_that_of_a_leader() {
        runner.withPropertyValues("neli.enabled=false", "neli.when-disabled=run", "neli.partitions=1")
                .run(context -> {
                    Neli neli = context.getBean(Neli.class);
                    try (LeaderWork work = neli.beginWork("outer").orElseThrow();
                            LeaderWork part = neli.beginWork("inner").orElseThrow()) {
                        assertThat(part.leadership().token())
                                .isEqualTo(work.leadership().token())
                                .isEqualTo(neli.leader().orElseThrow().token());
                        assertThat(Leadership.current().orElseThrow().role()).isEqualTo("inner");
                    }
                    assertThat(Leadership.current()).isEmpty();
                });
    }

    @Test
    void disabled_nothing_changes_who_leads() throws Exception {
        runner.withPropertyValues("neli.enabled=false").run(context -> {
            Neli neli = context.getBean(Neli.class);
            neli.resume();
            assertThat(neli.awaitLeadership(Duration.ofDays(1))).isEmpty();
            assertThat(neli.leader()).isEmpty();
            assertThat(neli.beginWork()).isEmpty();
        });
        runner.withPropertyValues("neli.enabled=false", "neli.when-disabled=run")
                .run(context -> {
                    Neli neli = context.getBean(Neli.class);
                    neli.pause();
                    neli.resign(Duration.ofDays(1));
                    assertThat(neli.beginWork()).hasValueSatisfying(LeaderWork::close);
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
    void a_placeholder_in_a_role_without_a_value_fails_start_up() {
        runner.withBean(StubNeli.class).withBean(RoleJob.class).run(context -> assertThat(context)
                .getFailure()
                .hasStackTraceContaining("RoleJob.run()")
                .hasStackTraceContaining("the placeholder in its role '${billing.role}' has no value"));
    }

    @Test
    void a_role_outside_of_the_list_fails_start_up_and_the_message_shows_the_list() {
        ApplicationContextRunner listed = runner.withPropertyValues(
                "neli.enabled=false", "neli.when-disabled=run", "neli.roles=invoices,reports");
        for (Class<?> type : List.of(RoleJob.class, RolePoller.class)) {
            listed.withPropertyValues("billing.role=invoice").withBean(type).run(context -> assertThat(context)
                    .getFailure()
                    .isInstanceOf(NeliException.class)
                    .hasMessageContaining(type.getName())
                    .hasMessageContaining("its role 'invoice' is not in neli.roles, which is [invoices, reports]"));
            listed.withPropertyValues("billing.role=reports").withBean(type).run(context -> assertThat(context)
                    .hasNotFailed());
        }
        listed.run(
                context -> assertThatThrownBy(() -> context.getBean(Neli.class).isLeader("any other"))
                        .hasMessageContaining("neli.roles, which are [invoices, reports], do not have it"));
        runner.withPropertyValues("neli.enabled=false", "billing.role=invoices")
                .withBean(RoleJob.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining(RoleJob.class.getName())
                        .hasMessageContaining("neli.roles, which are [default], do not have it"));
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

    @Test
    void the_beans_of_a_child_context_ask_the_election_of_its_parent() {
        runner.withBean(StubNeli.class, StubNeli::standby).run(parent -> {
            runner.withParent(parent).withBean(Job.class).run(child -> {
                assertThat(child.getBean(Job.class).run()).isEmpty();
                assertThat(parent.getBean(StubNeli.class).calls).containsExactly("start", "refuse");
            });
        });
    }

    @Test
    void the_close_of_a_child_context_does_not_close_the_election_of_its_parent() {
        runner.withBean(StubNeli.class).run(parent -> {
            runner.withParent(parent).run(child -> assertThat(child.getBeanNamesForType(Neli.class).length
                            + child.getBeanNamesForType(LeaderListener.class).length)
                    .isZero());
            assertThat(parent.getBean(StubNeli.class).calls).containsExactly("start");
        });
    }

    @Test
    void an_election_of_a_child_context_is_the_one_for_its_beans_and_ends_with_it() {
        runner.withBean("parents", StubNeli.class, StubNeli::standby).run(parent -> {
            StubNeli own = StubNeli.leading();
            runner.withParent(parent)
                    .withBean("own", StubNeli.class, () -> own)
                    .withBean(Job.class)
                    .run(child -> assertThat(child.getBean(Job.class).run()).hasValue("ran"));
            assertThat(own.calls).startsWith("start", "begin", "end", "close");
            assertThat(parent.getBean("parents", StubNeli.class).calls).containsExactly("start");
        });
    }

    /** Imported by name, as by Boot itself: conditions are evaluated before a class is loaded. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        NeliAutoConfiguration.class,
        NeliEndpointAutoConfiguration.class,
        NeliHealthContributorAutoConfiguration.class,
        LeaderOnlyAutoConfiguration.class,
        NeliMetricsAutoConfiguration.class
    })
    static class Everything {}

    static class Asking {

        private int told;

        @EventListener(condition = "@neli.isLeader()")
        void on(PayloadApplicationEvent<Object> event) {
            told++;
        }

        int told(ApplicationContext context) {
            context.publishEvent(new Object());
            return told;
        }
    }

    static class Job {

        @LeaderOnly
        Optional<String> run() {
            return Optional.of("ran");
        }
    }

    static class RoleJob {

        @LeaderOnly(role = "${billing.role}")
        Optional<String> run() {
            return Optional.of("ran");
        }
    }

    static class Task implements Runnable {

        @Override
        @LeaderOnly
        public void run() {}
    }

    @StartWhenLeading(role = "${billing.role}")
    static class RolePoller implements Lifecycle {

        @Override
        public void start() {}

        @Override
        public void stop() {}

        @Override
        public boolean isRunning() {
            return false;
        }
    }
}
