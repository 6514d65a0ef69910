package io.neli.spring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.neli.Neli;
import io.neli.spring.SharedBroker;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.common.GroupType;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Settings of applications and brokers that are not meant for the election, but could affect it. */
@Tag("proof")
@ExtendWith(OutputCaptureExtension.class)
class ConflictingPropertiesIT {

    private static final Map<String, String> GLOBAL = Map.ofEntries(
            Map.entry("group.protocol", "consumer"),
            Map.entry("group.remote.assignor", "uniform"),
            Map.entry("group.instance.id", "static-1"),
            Map.entry("interceptor.classes", "no.such.Interceptor"),
            Map.entry("isolation.level", "read_committed"),
            Map.entry("enable.auto.commit", "true"),
            Map.entry("auto.offset.reset", "earliest"),
            Map.entry("partition.assignment.strategy", "org.apache.kafka.clients.consumer.RangeAssignor"),
            Map.entry("session.timeout.ms", "45000"),
            Map.entry("max.poll.records", "1"),
            Map.entry("transactional.id", "tx"),
            Map.entry("enable.idempotence", "false"),
            Map.entry("acks", "0"),
            Map.entry("key.deserializer", "no.such.Deserializer"),
            Map.entry("value.deserializer", "no.such.Deserializer"),
            Map.entry("key.serializer", "no.such.Serializer"),
            Map.entry("value.serializer", "no.such.Serializer"));

    @Test
    void global_properties_of_the_application_s_clients_do_not_keep_the_election_from_working(CapturedOutput output) {
        application("global")
                .withPropertyValues(GLOBAL.entrySet().stream()
                        .map(property -> "spring.kafka.properties[" + property.getKey() + "]=" + property.getValue())
                        .toArray(String[]::new))
                .run(context -> {
                    Neli neli = context.getBean(Neli.class);
                    assertLeadsInTheGroup(neli);
                    eventually().until(() -> neli.snapshot().problem().isEmpty());
                    assertThat(group("global").type()).isEqualTo(GroupType.CLASSIC);
                    assertThat(group("global").members()).allSatisfy(member -> assertThat(member.groupInstanceId())
                            .isEmpty());
                    List<String> lines = output.getOut()
                            .lines()
                            .filter(line -> line.contains("not used for the election"))
                            .toList();
                    assertThat(lines).hasSize(1);
                    assertThat(lines.get(0)).contains(GLOBAL.keySet());
                });
    }

    @Test
    void a_member_that_is_stopped_leaves_the_group_at_once_even_with_an_instance_id() {
        application("leaving")
                .withPropertyValues("spring.kafka.properties[group.instance.id]=static-1")
                .run(context -> {
                    assertLeadsInTheGroup(context.getBean(Neli.class));
                    context.close();
                    // Less than the session timeout of 10 s, which would end the membership too.
                    await().atMost(Duration.ofSeconds(8))
                            .until(() -> group("leaving").members().isEmpty());
                });
    }

    /** A stock broker delays for three seconds. Here the delay is so long that waiting for it fails the test. */
    @Test
    void a_cold_start_does_not_wait_for_the_group_s_initial_rebalance_delay() {
        EmbeddedKafkaKraftBroker slow = new EmbeddedKafkaKraftBroker(1, 1);
        slow.brokerProperty("group.initial.rebalance.delay.ms", "600000");
        slow.brokerListProperty("slow.broker"); // the default would change the servers of all later tests
        slow.afterPropertiesSet();
        try {
            application("cold")
                    .withPropertyValues("spring.kafka.bootstrap-servers=" + slow.getBrokersAsString())
                    .run(context -> {
                        Neli neli = context.getBean(Neli.class);
                        eventually().until(neli::isLeader);
                        assertThat(neli.snapshot().groupMembers()).isZero();
                    });
        } finally {
            slow.destroy();
        }
    }

    @Test
    void factories_of_the_application_s_own_are_neither_used_nor_disturbed() {
        Map<String, Object> settings = Map.of("bootstrap.servers", "localhost:1", "client.id", "own");
        ConsumerFactory<String, String> consumers = new DefaultKafkaConsumerFactory<>(settings);
        ProducerFactory<String, String> producers = new DefaultKafkaProducerFactory<>(settings);
        application("factories")
                .withBean(ConsumerFactory.class, () -> consumers)
                .withBean(ProducerFactory.class, () -> producers)
                .run(context -> {
                    assertLeadsInTheGroup(context.getBean(Neli.class));
                    assertThat(context.getBean(ConsumerFactory.class)).isSameAs(consumers);
                    assertThat(context.getBean(ProducerFactory.class)).isSameAs(producers);
                    assertThat(consumers.getConfigurationProperties()).isEqualTo(settings);
                    assertThat(producers.getConfigurationProperties()).isEqualTo(settings);
                });
    }

    private static void assertLeadsInTheGroup(Neli neli) {
        eventually().until(() -> neli.isLeader() && neli.snapshot().groupMembers() > 0);
    }

    private static ConsumerGroupDescription group(String name) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", SharedBroker.address()))) {
            String group = name + ".neli";
            return admin.describeConsumerGroups(List.of(group))
                    .describedGroups()
                    .get(group)
                    .get(2, TimeUnit.MINUTES);
        }
    }

    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofMinutes(2));
    }

    private static ApplicationContextRunner application(String group) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class, NeliAutoConfiguration.class))
                .withPropertyValues(
                        "spring.kafka.bootstrap-servers=" + SharedBroker.address(), "neli.group-id=" + group);
    }
}
