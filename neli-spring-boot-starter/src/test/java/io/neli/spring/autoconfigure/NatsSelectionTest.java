package io.neli.spring.autoconfigure;

import java.time.Duration;

import io.nats.client.Options;
import io.neli.Neli;
import io.neli.NeliException;
import io.neli.nats.NatsNeli;
import io.neli.spring.LeaderKafkaTemplates;
import io.neli.spring.StubNeli;
import org.apache.kafka.clients.CommonClientConfigs;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verifyNoInteractions;

/** Which settings put the election on NATS or on Kafka. No server is running. */
class NatsSelectionTest {

    private static final String NATS = "neli.nats.servers=nats://localhost:1";

    private final ApplicationContextRunner plain = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, NeliAutoConfiguration.class))
            .withPropertyValues("neli.group-id=billing");
    private final ApplicationContextRunner runner =
            plain.withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class));

    @Test
    void with_servers_of_nats_the_election_is_there() {
        runner.withPropertyValues("neli.nats.servers=nats://localhost:1,nats://localhost:2")
                .run(context -> assertIsOn(
                        context.getBean(Neli.class), "neli.nats.servers is 'nats://localhost:1,nats://localhost:2'"));
        runner.withPropertyValues("neli.nats.servers[0]=localhost:1")
                .run(context -> assertIsOn(context.getBean(Neli.class), "neli.nats.servers is 'nats://localhost:1'"));
    }

    @Test
    void kafka_of_the_application_s_own_use_is_not_the_election_s() {
        KafkaConnectionDetails details = mock(KafkaConnectionDetails.class);
        KafkaProperties common = mock(KafkaProperties.class);
        plain.withPropertyValues(NATS)
                .withBean(KafkaConnectionDetails.class, () -> details)
                .withBean(KafkaProperties.class, () -> common)
                .run(context -> {
                    assertIsOn(context.getBean(Neli.class), "neli.nats.servers is");
                    verifyNoInteractions(details, common);
                });
        runner.withPropertyValues(NATS, "spring.kafka.bootstrap-servers=localhost:9")
                .run(context -> assertIsOn(context.getBean(Neli.class), "neli.nats.servers is"));
    }

    @Test
    void without_servers_of_nats_the_election_is_on_kafka_whether_the_module_is_there_or_not() {
        String kafka = "neli.kafka.bootstrap-servers=localhost:1";
        runner.withPropertyValues(kafka)
                .run(context -> assertThat(topicOf(context)).isEqualTo("billing.neli"));
        runner.withPropertyValues(kafka).withClassLoader(withoutTheModule()).run(context -> assertThat(topicOf(context))
                .isEqualTo("billing.neli"));
        runner.withPropertyValues(NATS)
                .run(context -> assertThat(topicOf(context)).isEqualTo("billing"));
    }

    private static String topicOf(ApplicationContext context) {
        return context.getBean(Neli.class).snapshot().topic();
    }

    private static void assertIsOn(Neli neli, String problem) {
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(neli.snapshot().problem())
                        .hasValueSatisfying(text -> assertThat(text).contains(problem)));
    }

    @Test
    void connection_details_put_the_election_on_nats_whatever_the_properties_say() {
        NeliNatsConnectionDetails details =
                () -> Options.builder().server("nats://localhost:2").build();
        runner.withBean(NeliNatsConnectionDetails.class, () -> details)
                .withPropertyValues("neli.kafka.bootstrap-servers=localhost:1")
                .run(context -> assertIsOn(context.getBean(Neli.class), "neli.nats.servers is 'nats://localhost:2'"));
        runner.withBean(NeliNatsConnectionDetails.class, () -> details)
                .withPropertyValues(NATS)
                .run(context -> assertIsOn(context.getBean(Neli.class), "neli.nats.servers is 'nats://localhost:2'"));
    }

    @Test
    void servers_of_nats_without_the_module_are_refused() {
        assertRefused(runner.withPropertyValues(NATS).withClassLoader(withoutTheModule()))
                .hasMessage(
                        "the election is on NATS (neli.nats.servers), and neli-nats is not on the class path; add the"
                                + " dependency io.neli:neli-nats, or remove neli.nats.servers for an election on Kafka");
    }

    @Test
    void servers_of_nats_that_were_not_set_at_build_time_are_refused() {
        assertRefused(runner.withInitializer(
                        context -> NeliAutoConfigurationTest.setOnceConditionsHaveMatched(context, NATS)))
                .hasMessageContainingAll(
                        "processed ahead of time without neli.nats.servers", "process it again with neli.nats.servers");
    }

    @Test
    void disabled_nothing_is_missing() {
        runner.withPropertyValues(NATS, "neli.enabled=false")
                .withClassLoader(withoutTheModule())
                .run(context -> assertThat(context).hasSingleBean(Neli.class));
    }

    private static FilteredClassLoader withoutTheModule() {
        return new FilteredClassLoader(NatsNeli.class.getPackageName(), "io.nats");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bootstrap-servers=localhost:9",
                "security.protocol=SSL",
                "ssl.bundle=own",
                "properties." + CommonClientConfigs.CLIENT_DNS_LOOKUP_CONFIG + "=use_all_dns_ips"
            })
    void nats_and_kafka_for_the_election_are_refused(String property) {
        String set = "neli.kafka." + property;
        assertRefused(runner.withPropertyValues(NATS, set))
                .hasMessageContainingAll(
                        "neli.nats.servers is 'nats://localhost:1'",
                        set.substring(0, set.indexOf('=')) + " is set too",
                        "remove one of the two");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ",", "nats://localhost:1,,nats://localhost:2"})
    void a_blank_server_is_refused(String servers) {
        assertRefused(runner.withPropertyValues("neli.nats.servers=" + servers))
                .hasMessageContainingAll("neli.nats.servers is '", "blank", "nats://host:4222");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nats://local host:1", "http://localhost:1", "nats://"})
    void what_is_not_an_address_is_refused(String server) {
        assertRefused(runner.withPropertyValues("neli.nats.servers=nats://localhost:1," + server))
                .hasMessageContainingAll("neli.nats.servers", "'" + server + "'", "use addresses such as nats://");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nats://me:secret@localhost:1", "secret@localhost:1", "nats://me:sec/secret@localhost:1"})
    void a_secret_in_an_address_is_refused_and_not_shown(String server) {
        assertRefused(runner.withPropertyValues("neli.nats.servers=" + server))
                .hasMessageContainingAll("***@localhost:1'", "set neli.nats.username and neli.nats.password")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "credentials=/no/such.creds, neli.nats.credentials is '/no/such.creds'",
        "ssl.bundle=none, neli.nats.ssl.bundle is 'none'",
        "username=me, neli.nats.username is 'me'",
        "password=secret, 'neli.nats.username is ''null'', and neli.nats.password is set'",
    })
    void what_cannot_work_is_refused(String property, String problem) {
        assertRefused(runner.withPropertyValues(NATS, "neli.nats." + property))
                .hasMessageStartingWith(problem)
                .hasMessageNotContaining("secret");
    }

    @Test
    void two_identities_are_refused() {
        assertRefused(runner.withPropertyValues(
                        NATS,
                        "neli.nats.credentials=/no/such.creds",
                        "neli.nats.username=me",
                        "neli.nats.password=secret",
                        "neli.nats.token=secret"))
                .hasMessageStartingWith("neli.nats.credentials and neli.nats.username and neli.nats.token are set")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"credentials", "username", "password", "token", "ssl.bundle"})
    void a_connection_to_nats_without_servers_is_refused(String property) {
        assertRefused(runner.withPropertyValues("neli.nats." + property + "=secret"))
                .hasMessageStartingWith("neli.nats." + property + " is set, and neli.nats.servers is not")
                .hasMessageNotContaining("secret");
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(ApplicationContextRunner refused) {
        Throwable[] failure = new Throwable[1];
        refused.run(context ->
                failure[0] = assertThat(context).getFailure().rootCause().actual());
        return assertThat(failure[0]).isInstanceOf(NeliException.class);
    }

    @Test
    void customizers_change_a_member_on_nats_too() {
        runner.withPropertyValues(NATS, "neli.name=alice")
                .withBean(NeliBuilderCustomizer.class, () -> builder -> builder.name("bob"))
                .run(context -> assertThat(
                                context.getBean(Neli.class).snapshot().name())
                        .isEqualTo("bob"));
    }

    @Test
    void on_nats_there_are_no_templates_of_the_leader_s() {
        runner.withBean(StubNeli.class).run(context -> assertThat(context).hasSingleBean(LeaderKafkaTemplates.class));
        runner.withBean(StubNeli.class)
                .withPropertyValues(NATS)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaderKafkaTemplates.class));
    }
}
