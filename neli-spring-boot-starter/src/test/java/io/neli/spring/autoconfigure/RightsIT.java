package io.neli.spring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.neli.Job;
import io.neli.Leader;
import io.neli.Neli;
import io.neli.spring.LeaderKafkaTemplate;
import io.neli.spring.LeaderKafkaTemplates;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;
import org.assertj.core.api.ThrowingConsumer;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A broker that enforces rights, and an application with the settings and the rights of docs/security.md. */
@Tag("proof")
@ExtendWith(OutputCaptureExtension.class)
class RightsIT {

    private static final String GRANT_TOPIC = SecurityPage.command("kafka-acls.sh .*--operation Write --topic \\S+$");
    private static final String GRANT_TOPICS = SecurityPage.command("kafka-acls.sh .*--topic .*prefixed");
    private static final String GRANT_GROUP = SecurityPage.command("kafka-acls.sh .*--group");
    private static final String GRANT_CREATION = SecurityPage.command("kafka-acls.sh .*--operation Create");
    private static final String CREATE_TOPIC = SecurityPage.creation();

    private static final String GRANT_TRANSACTIONS = SecurityPage.command("kafka-acls.sh .*--transactional-id");

    private static SecuredBroker broker;
    private static SecurityPage page;
    private static Admin admin;

    @BeforeAll
    static void startBroker() {
        broker = SecuredBroker.shared();
        page = new SecurityPage(broker);
        admin = Admin.create(Map.of("bootstrap.servers", broker.openAddress()));
    }

    @AfterAll
    static void stopBroker() {
        admin.close();
    }

    @Test
    void the_rights_on_the_page_are_enough() throws Exception {
        page.createTopic(CREATE_TOPIC);
        page.grant(GRANT_TOPIC);
        page.grant(GRANT_GROUP);

        eventually().untilAsserted(() -> assertThat(granted("billing"))
                .containsExactlyInAnyOrder(
                        "TOPIC billing.neli READ", "TOPIC billing.neli WRITE", "GROUP billing.neli READ"));
        String lease = "neli.lease-duration=30s"; // longer than a busy machine stalls
        member("billing", "neli.name=first", lease).run(first -> {
            Neli leader = first.getBean(Neli.class);
            eventually().until(leader::isLeader);
            member("billing", "neli.name=second", lease).run(second -> {
                Neli standby = second.getBean(Neli.class);
                eventually().untilAsserted(() -> assertThat(standby.snapshot().groupMembers())
                        .isEqualTo(2));
                eventually().untilAsserted(() -> assertThat(standby.leader().map(Leader::name))
                        .hasValue("first"));
                awaitNoProblem(leader);
                awaitNoProblem(standby);
                first.close();
                eventually().until(standby::isLeader);
            });
        });
    }

    @Test
    void every_command_of_the_page_is_tried_here() {
        assertThat(SecurityPage.commands())
                .containsExactlyInAnyOrder(GRANT_TOPIC, GRANT_TOPICS, GRANT_GROUP, GRANT_CREATION, GRANT_TRANSACTIONS);
    }

    /** Tests one topic of the several that a quorum has, because this broker is alone. */
    @Test
    void the_rights_on_a_prefix_are_enough_for_a_topic_with_it() {
        String topic = "prefixed.neli.2";
        page.createTopic(CREATE_TOPIC.replace("billing.neli", topic));
        page.grant(SecurityPage.forGroup("prefixed", GRANT_TOPICS));
        page.grant(SecurityPage.forGroup("prefixed", GRANT_GROUP));
        member("prefixed", "neli.topic.name=" + topic).run(context -> {
            Neli neli = context.getBean(Neli.class);
            eventually().until(neli::isLeader);
            awaitNoProblem(neli);
        });
    }

    @Test
    void with_the_rights_of_the_page_a_leader_writes_to_a_topic_of_its_own() {
        grantAll("writing");
        page.grant(SecurityPage.forGroup("writing", GRANT_TRANSACTIONS));
        page.createTopic(SecurityPage.forGroup("written", CREATE_TOPIC));
        page.grant(SecurityPage.forGroup("written", GRANT_TOPIC));
        member("writing", "neli.roles=invoices")
                .withUserConfiguration(Writing.class)
                .run(context -> {
                    Writer writer = context.getBean(Writer.class);
                    eventually()
                            .ignoreExceptions() // thrown until it leads and has prepared
                            .untilAsserted(() ->
                                    assertThat(writer.write("written.neli")).isDone());
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"nothing", "Read", "Write", "Create"})
    void jobs_run_with_the_rights_of_the_page_and_a_missing_one_is_named(String missing) {
        String group = "jobs-without-" + missing;
        grantAll(group);
        String granted = Stream.of("Read", "Write", "Create")
                .filter(operation -> !operation.equals(missing))
                .map(operation -> "--operation " + operation)
                .collect(Collectors.joining(" "));
        page.grant(SecurityPage.forGroup(group, GRANT_CREATION)
                .replace("--operation Create", granted)
                .replace(group + ".neli", group + ".neli.runs"));
        AtomicInteger runs = new AtomicInteger();
        run(group, neli -> {
            Job.Schedule daily = new Job.FixedRate(Duration.ofDays(1), Duration.ZERO);
            Job.Task task = run -> runs.incrementAndGet();
            neli.schedule(new Job(
                    "close books", neli.defaultRole(), daily, Job.Guarantee.AT_LEAST_ONCE, Runnable::run, task));
            if (!missing.equals("nothing")) {
                String problem = awaitProblem(neli, "the topic '" + group + ".neli.runs'");
                assertThat(problem).contains("User:billing needs the rights");
                assertThat(runs).hasValue(0);
                page.grant(SecurityPage.commandIn(problem));
            }
            eventually().until(() -> runs.get() == 1);
            awaitNoProblem(neli);
        });
    }

    private interface Writer {

        Future<?> write(String topic);
    }

    @Configuration(proxyBeanMethods = false)
    static class Writing {

        @Bean
        Writer writer(LeaderKafkaTemplates<String, String> templates) {
            LeaderKafkaTemplate<String, String> template = templates.forRole("invoices");
            return topic -> template.executeInTransaction(transaction -> transaction.send(topic, "paid"));
        }
    }

    @Test
    void a_member_that_may_create_the_topic_does_so() {
        grantAll("creating");
        run("creating", neli -> {
            eventually().until(neli::isLeader);
            awaitNoProblem(neli);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "TOPIC, READ, no right to READ on this topic",
        "TOPIC, WRITE, no right to WRITE on this topic",
        "TOPIC, CREATE, 'there is no such topic, and User:billing has no right to CREATE it'",
        "GROUP, READ, no right to READ on the consumer group"
    })
    void a_missing_right_is_named_and_its_grant_is_enough(
            ResourceType resource, AclOperation operation, String words, CapturedOutput output) throws Exception {
        String group = "without-" + resource.name().toLowerCase() + "-"
                + operation.name().toLowerCase();
        grantAll(group);
        revoke(group, resource, operation);
        run(group, neli -> assertRecoversByGrant(neli, output, words));
    }

    @Test
    void a_topic_that_may_not_even_be_seen_is_named_too(CapturedOutput output) {
        page.grant(SecurityPage.forGroup("unseen", GRANT_GROUP));
        page.grant(SecurityPage.forGroup("unseen", GRANT_CREATION));
        run("unseen", neli -> assertRecoversByGrant(neli, output, "no right to DESCRIBE this topic"));
    }

    @ParameterizedTest
    @EnumSource(
            value = AclOperation.class,
            names = {"READ", "WRITE"})
    void a_leader_that_loses_a_right_no_longer_leads_until_it_has_it_again(
            AclOperation operation, CapturedOutput output) {
        String group = "losing-" + operation.name().toLowerCase();
        grantAll(group);
        run(group, neli -> {
            eventually().until(neli::isLeader);
            revoke(group, ResourceType.TOPIC, operation);
            eventually().until(() -> !neli.isLeader());
            assertRecoversByGrant(neli, output, "no right to " + operation + " on this topic");
        });
    }

    @Test
    void a_standby_that_may_not_write_says_so_before_it_is_needed() throws Exception {
        String group = "on-standby";
        grantAll(group);
        String login = SecuredBroker.login("admin", SecuredBroker.PASSWORD);
        member(group, "neli.kafka.properties[sasl.jaas.config]=" + login).run(other -> {
            eventually().until(other.getBean(Neli.class)::isLeader);
            revoke(group, ResourceType.TOPIC, AclOperation.WRITE);
            run(group, neli -> awaitProblem(neli, "no right to WRITE on this topic"));
            member(group, "neli.candidate=false", "neli.name=observer").run(observer -> {
                Neli neli = observer.getBean(Neli.class);
                eventually().until(() -> neli.leader().isPresent());
                awaitNoProblem(neli);
                assertThat(producers()).anyMatch(each -> !each.contains("observer")); // of the leader
                // One without the right to write sends requests without a pause.
                assertThat(producers()).noneMatch(each -> each.contains("observer"));

                neli.candidate(true);
                eventually().until(() -> producers().anyMatch(each -> each.contains("observer")));
            });
        });
    }

    private static Stream<String> producers() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("kafka-producer-network-thread"));
    }

    @Test
    void with_fail_fast_the_application_does_not_start_without_a_right() throws Exception {
        member("failing-fast", "neli.fail-fast=2m").run(context -> {
            assertThat(context).hasFailed();
            assertThat(FailureAnalyzersTest.analyze(context.getStartupFailure()))
                    .satisfies(analysis -> {
                        assertThat(analysis.getDescription())
                                .contains(
                                        "neli.topic.name is 'failing-fast.neli': User:billing has no right to DESCRIBE");
                        assertThat(SecurityPage.commandIn(analysis.getAction()))
                                .contains("--operation READ --operation WRITE --topic 'failing-fast.neli'");
                    });
        });
    }

    private void assertRecoversByGrant(Neli neli, CapturedOutput output, String words) {
        String problem = awaitProblem(neli, words);
        assertThat(problem).contains("User:billing");
        assertThat(output.getOut().lines().filter(line -> line.contains(problem)))
                .as("lines of the log")
                .hasSize(1)
                .allMatch(line -> line.contains("WARN"));

        page.grant(SecurityPage.commandIn(problem));
        eventually().until(neli::isLeader);
        awaitNoProblem(neli);
        eventually().until(() -> neli.snapshot().groupMembers() > 0);
    }

    /** Waits for this problem; others may come first, such as that the broker does not answer. */
    private static String awaitProblem(Neli neli, String words) {
        return eventually()
                .until(() -> neli.snapshot().problem(), problem -> problem.filter(text -> text.contains(words))
                        .isPresent())
                .orElseThrow();
    }

    private static void awaitNoProblem(Neli neli) {
        eventually().until(() -> neli.snapshot().problem().isEmpty());
    }

    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofMinutes(2));
    }

    private static ApplicationContextRunner member(String group, String... properties) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SslAutoConfiguration.class, KafkaAutoConfiguration.class, NeliAutoConfiguration.class))
                .withInitializer(
                        context -> context.getEnvironment().getPropertySources().addLast(SecurityPage.settings()))
                .withPropertyValues(
                        "KAFKA_PASSWORD=" + SecuredBroker.PASSWORD,
                        "spring.kafka.bootstrap-servers=" + broker.address(),
                        "spring.ssl.bundle.pem.kafka.truststore.certificate="
                                + broker.certificate().toUri(),
                        "neli.group-id=" + group,
                        "neli.lease-duration=2s")
                .withPropertyValues(properties);
    }

    private static void run(String group, ThrowingConsumer<Neli> test) {
        member(group).run(context -> test.accept(context.getBean(Neli.class)));
    }

    private static void grantAll(String group) {
        for (String command : List.of(GRANT_TOPIC, GRANT_GROUP, GRANT_CREATION)) {
            page.grant(SecurityPage.forGroup(group, command));
        }
    }

    private static void revoke(String group, ResourceType resource, AclOperation operation)
            throws InterruptedException, ExecutionException {
        assertThat(admin.deleteAcls(List.of(new AclBindingFilter(
                                new ResourcePatternFilter(resource, group + ".neli", PatternType.LITERAL),
                                new AccessControlEntryFilter(null, null, operation, AclPermissionType.ALLOW))))
                        .all()
                        .get())
                .hasSize(1);
        // The broker applies the change only when it has read it from its log.
        eventually().until(() -> granted(group).stream().noneMatch(text(resource, group + ".neli", operation)::equals));
    }

    private static List<String> granted(String group) throws InterruptedException, ExecutionException {
        return admin.describeAcls(AclBindingFilter.ANY).values().get().stream()
                .filter(binding -> binding.pattern().name().equals(group + ".neli"))
                .map(RightsIT::text)
                .toList();
    }

    private static String text(AclBinding binding) {
        return text(
                binding.pattern().resourceType(),
                binding.pattern().name(),
                binding.entry().operation());
    }

    private static String text(ResourceType resource, String name, AclOperation operation) {
        return resource + " " + name + " " + operation;
    }
}
