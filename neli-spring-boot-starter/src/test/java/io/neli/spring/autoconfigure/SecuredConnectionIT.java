package io.neli.spring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.security.auth.login.Configuration;

import io.neli.Neli;
import io.neli.NeliSnapshot;
import io.neli.NeliSnapshot.Status;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.assertj.core.api.ThrowingConsumer;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The ways to configure SASL_SSL with SCRAM, and the messages for wrong configurations. */
@Tag("proof")
class SecuredConnectionIT {

    private static final String RIGHT_LOGIN = SecuredBroker.login("admin", SecuredBroker.PASSWORD);
    private static final String WRONG_LOGIN = SecuredBroker.login("admin", "wrong");

    private static final SecuredBroker broker = SecuredBroker.shared();

    @Test
    void the_properties_of_spring_kafka_are_enough() {
        run(kafka("SASL_SSL", RIGHT_LOGIN), SecuredConnectionIT::assertLeads);
    }

    @Test
    void the_login_may_be_set_by_spring_kafka_jaas() {
        try {
            run(
                    kafka("SASL_SSL", null)
                            .withPropertyValues(
                                    "spring.kafka.jaas.enabled=true",
                                    "spring.kafka.jaas.login-module="
                                            + "org.apache.kafka.common.security.scram.ScramLoginModule",
                                    "spring.kafka.jaas.options.username=admin",
                                    "spring.kafka.jaas.options.password=" + SecuredBroker.PASSWORD),
                    SecuredConnectionIT::assertLeads);
        } finally {
            Configuration.setConfiguration(null); // the configuration is shared by the whole JVM
        }
    }

    @Test
    void settings_for_the_election_alone_win() {
        run(
                kafka("PLAINTEXT", WRONG_LOGIN)
                        .withPropertyValues(
                                "spring.kafka.bootstrap-servers=localhost:1",
                                trust(broker.otherCertificate().toUri()),
                                "neli.kafka.bootstrap-servers=" + broker.address(),
                                "neli.kafka.properties[security.protocol]=SASL_SSL",
                                "neli.kafka.properties[sasl.jaas.config]=" + RIGHT_LOGIN,
                                "neli.kafka.properties[ssl.truststore.type]=PEM",
                                "neli.kafka.properties[ssl.truststore.location]=" + broker.certificate()),
                SecuredConnectionIT::assertLeads);
    }

    @Test
    void a_bundle_for_the_election_alone_wins() {
        run(
                kafka("SASL_PLAINTEXT", RIGHT_LOGIN)
                        .withPropertyValues(
                                trust(broker.otherCertificate().toUri()),
                                "spring.ssl.bundle.pem.own.truststore.certificate="
                                        + broker.certificate().toUri(),
                                "neli.kafka.security.protocol=SASL_SSL",
                                "neli.kafka.ssl.bundle=own"),
                SecuredConnectionIT::assertLeads);
    }

    @Test
    void without_the_beans_of_spring_kafka_the_election_s_own_properties_are_enough() {
        ApplicationContextRunner alone = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(NeliAutoConfiguration.class))
                .withPropertyValues(
                        "neli.group-id=alone",
                        "neli.lease-duration=2s",
                        "neli.kafka.bootstrap-servers=" + broker.address(),
                        "neli.kafka.properties[security.protocol]=SASL_SSL",
                        "neli.kafka.properties[sasl.mechanism]=SCRAM-SHA-512",
                        "neli.kafka.properties[sasl.jaas.config]=" + RIGHT_LOGIN,
                        "neli.kafka.properties[ssl.truststore.type]=PEM",
                        "neli.kafka.properties[ssl.truststore.location]=" + broker.certificate());
        run(alone, SecuredConnectionIT::assertLeads);
    }

    @Test
    void a_wrong_password_is_named_until_it_is_right() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.openAddress()))) {
            run(kafka("SASL_SSL", SecuredBroker.login("late", "late-secret")), neli -> {
                assertThat(awaitProblem(
                                neli,
                                "security.protocol is 'SASL_SSL'",
                                "sasl.mechanism is 'SCRAM-SHA-512'",
                                "for User:late",
                                "invalid credentials",
                                "password in sasl.jaas.config"))
                        .doesNotContain("late-secret");
                admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                                "late", new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096), "late-secret")))
                        .all()
                        .get(2, TimeUnit.MINUTES);
                // Its login succeeds now, but it has no rights.
                awaitProblem(neli, "User:late has no right to DESCRIBE");
            });
        }
    }

    @Test
    void a_mechanism_that_the_broker_does_not_offer_is_named() {
        run(
                kafka("SASL_SSL", RIGHT_LOGIN)
                        .withPropertyValues("spring.kafka.properties[sasl.mechanism]=SCRAM-SHA-256"),
                neli -> awaitProblem(
                        neli,
                        "sasl.mechanism is 'SCRAM-SHA-256'",
                        "SCRAM-SHA-512",
                        "check the protocol, the mechanism"));
    }

    @Test
    void a_login_that_is_missing_is_named() {
        run(kafka("SASL_SSL", null), neli -> awaitProblem(neli, "the Kafka client cannot be used", "JAAS"));
    }

    @Test
    void a_trust_store_without_the_broker_s_certificate_is_named() {
        run(
                kafka("SASL_SSL", RIGHT_LOGIN)
                        .withPropertyValues(trust(broker.otherCertificate().toUri())),
                neli -> awaitProblem(neli, "security.protocol is 'SASL_SSL'", "handshake", "certif", "trust store"));
    }

    @Test
    void a_missing_trust_store_is_named() {
        run(
                kafka("SASL_SSL", RIGHT_LOGIN)
                        .withPropertyValues(
                                "neli.kafka.properties[ssl.truststore.type]=PEM",
                                "neli.kafka.properties[ssl.truststore.location]=/no/such/file.pem"),
                neli -> awaitProblem(neli, "the Kafka client cannot be used", "/no/such/file.pem"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PLAINTEXT", "SASL_PLAINTEXT", "SSL"})
    void a_protocol_that_the_broker_does_not_speak_is_named(String protocol) {
        run(
                kafka(protocol, RIGHT_LOGIN),
                neli -> awaitProblem(
                        neli,
                        "bootstrap.servers is '" + broker.address() + "'",
                        "security.protocol is '" + protocol + "'",
                        "check"));
    }

    @Test
    void with_fail_fast_the_application_does_not_start_with_a_wrong_password() {
        kafka("SASL_SSL", WRONG_LOGIN).withPropertyValues("neli.fail-fast=2m").run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = FailureAnalyzersTest.analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("for User:admin", "invalid credentials");
            assertThat(analysis.getAction()).contains("name and password in sasl.jaas.config");
        });
    }

    private static void assertLeads(Neli neli) {
        eventually().until(neli::isLeader);
        eventually().until(() -> neli.snapshot().problem().isEmpty());
        eventually().until(() -> neli.snapshot().groupMembers() > 0);
    }

    /** Waits until the election has failed for a reason in these words, and returns the whole reason. */
    private static String awaitProblem(Neli neli, String... words) {
        NeliSnapshot failed = eventually()
                .until(
                        neli::snapshot,
                        snapshot -> snapshot.status() == Status.FAILED
                                && snapshot.problem()
                                        .filter(problem -> Stream.of(words).allMatch(problem::contains))
                                        .isPresent());
        assertThat(neli.isLeader()).isFalse();
        return failed.problem().orElseThrow();
    }

    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofMinutes(2));
    }

    /** An application with an SSL bundle that trusts the broker. */
    private static ApplicationContextRunner kafka(String protocol, String login) {
        ApplicationContextRunner runner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SslAutoConfiguration.class, KafkaAutoConfiguration.class, NeliAutoConfiguration.class))
                .withPropertyValues(
                        "spring.kafka.bootstrap-servers=" + broker.address(),
                        "spring.kafka.security.protocol=" + protocol,
                        "spring.kafka.ssl.bundle=kafka",
                        trust(broker.certificate().toUri()),
                        "spring.kafka.properties[sasl.mechanism]=SCRAM-SHA-512",
                        "neli.group-id=connecting",
                        "neli.lease-duration=2s");
        return login == null ? runner : runner.withPropertyValues("spring.kafka.properties[sasl.jaas.config]=" + login);
    }

    private static String trust(Object certificate) {
        return "spring.ssl.bundle.pem.kafka.truststore.certificate=" + certificate;
    }

    private static void run(ApplicationContextRunner application, ThrowingConsumer<Neli> test) {
        application.run(context -> test.accept(context.getBean(Neli.class)));
    }
}
