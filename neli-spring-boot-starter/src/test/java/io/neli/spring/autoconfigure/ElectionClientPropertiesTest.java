package io.neli.spring.autoconfigure;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.neli.Neli;
import io.neli.NeliException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.boot.kafka.autoconfigure.SslBundleSslEngineFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

class ElectionClientPropertiesTest {

    private ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, KafkaAutoConfiguration.class));

    @Test
    void the_common_settings_of_spring_kafka_are_taken() {
        assertThat(electionClient(
                        "spring.kafka.bootstrap-servers=one:9092,two:9092",
                        "spring.kafka.security.protocol=SASL_SSL",
                        "spring.kafka.ssl.trust-store-type=PEM",
                        "spring.kafka.properties[sasl.mechanism]=PLAIN"))
                .containsOnly(
                        Map.entry("bootstrap.servers", "one:9092,two:9092"),
                        Map.entry("security.protocol", "SASL_SSL"),
                        Map.entry("ssl.truststore.type", "PEM"),
                        Map.entry("sasl.mechanism", "PLAIN"));
    }

    @Test
    void the_application_s_own_clients_do_not_concern_the_election() {
        assertThat(electionClient(
                        "spring.kafka.client-id=shop",
                        "spring.kafka.consumer.bootstrap-servers=other:9092",
                        "spring.kafka.consumer.group-id=shop",
                        "spring.kafka.consumer.properties[session.timeout.ms]=9000",
                        "spring.kafka.producer.acks=0",
                        "spring.kafka.admin.properties[retries]=1"))
                .containsOnly(Map.entry("bootstrap.servers", "localhost:9092"));
    }

    @Test
    void the_settings_of_neli_kafka_win() {
        assertThat(electionClient(
                        "spring.kafka.bootstrap-servers=shared:9092",
                        "spring.kafka.security.protocol=SSL",
                        "spring.kafka.properties[metadata.max.age.ms]=1000",
                        "neli.kafka.bootstrap-servers=one:9092,two:9092",
                        "neli.kafka.properties[security.protocol]=PLAINTEXT",
                        "neli.kafka.properties.metadata.max.age.ms=2000"))
                .containsOnly(
                        Map.entry("bootstrap.servers", "one:9092,two:9092"),
                        Map.entry("security.protocol", "PLAINTEXT"),
                        Map.entry("metadata.max.age.ms", "2000"));
    }

    @Test
    void connection_details_win_over_all_properties() {
        SslBundle bundle = mock(SslBundle.class);
        KafkaProperties common = new KafkaProperties();
        common.getSecurity().setProtocol("PLAINTEXT");
        common.setBootstrapServers(List.of("configured:9092"));

        assertThat(ElectionClientProperties.of(
                        kafka(Map.of(
                                "neli.kafka.bootstrap-servers", "own:9092",
                                "neli.kafka.security.protocol", "SASL_SSL")),
                        common,
                        new Details("SSL", bundle),
                        null))
                .containsOnly(
                        Map.entry("bootstrap.servers", "container:9092"),
                        Map.entry("security.protocol", "SSL"),
                        Map.entry("ssl.engine.factory.class", SslBundleSslEngineFactory.class),
                        Map.entry("org.springframework.boot.ssl.SslBundle", bundle));
    }

    @Test
    void a_store_of_the_election_s_own_takes_the_place_of_a_bundle() {
        String[] bundle = {
            "spring.ssl.bundle.pem.common.truststore.certificate=file:/common.pem",
            "spring.kafka.ssl.bundle=common",
            "spring.kafka.security.protocol=SSL"
        };
        runner = runner.withPropertyValues(bundle);

        assertThat(electionClient("neli.kafka.properties.ssl.truststore.location=/own.pem"))
                .containsOnly(
                        Map.entry("bootstrap.servers", "localhost:9092"),
                        Map.entry("security.protocol", "SSL"),
                        Map.entry("ssl.truststore.location", "/own.pem"));
        assertThat(electionClient("neli.kafka.properties.ssl.enabled.protocols=TLSv1.3"))
                .containsKeys("ssl.engine.factory.class", "ssl.enabled.protocols");
    }

    @Test
    void details_without_security_leave_that_of_spring_kafka() {
        KafkaProperties common = new KafkaProperties();
        common.getSecurity().setProtocol("SSL");

        assertThat(ElectionClientProperties.of(kafka(Map.of()), common, new Details(null, null), null))
                .containsOnly(Map.entry("bootstrap.servers", "container:9092"), Map.entry("security.protocol", "SSL"));
    }

    @Test
    void the_settings_of_neli_kafka_suffice() {
        assertThat(ElectionClientProperties.of(
                        kafka(Map.of("neli.kafka.bootstrap-servers", "own:9092")), null, null, null))
                .containsOnly(Map.entry("bootstrap.servers", "own:9092"));
        assertThat(ElectionClientProperties.of(
                        kafka(Map.of("neli.kafka.properties.bootstrap.servers", "own:9092")), null, null, null))
                .containsOnly(Map.entry("bootstrap.servers", "own:9092"));
    }

    @Test
    void without_any_broker_the_message_says_what_to_set() {
        Map<String, Object> none = ElectionClientProperties.of(kafka(Map.of()), null, null, null);
        assertThatThrownBy(Neli.builder().groupId("billing").kafka(none)::build)
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll("neli.kafka.bootstrap-servers is", "name at least one broker");
    }

    @Test
    void a_bundle_and_a_protocol_of_the_election_s_own_take_the_place_of_those_of_spring_kafka() {
        assertThat(electionClient(
                        "spring.kafka.security.protocol=SASL_SSL",
                        "spring.kafka.ssl.trust-store-location=file:/other.jks",
                        "spring.ssl.bundle.pem.own.truststore.certificate=file:/own.pem",
                        "neli.kafka.security.protocol=SSL",
                        "neli.kafka.ssl.bundle=own"))
                .containsEntry("security.protocol", "SSL")
                .containsEntry("ssl.engine.factory.class", SslBundleSslEngineFactory.class)
                .hasEntrySatisfying(
                        SslBundle.class.getName(), bundle -> assertThat(bundle).isInstanceOf(SslBundle.class));
    }

    @Test
    void a_bundle_that_is_not_defined_is_named() {
        assertThatThrownBy(() -> electionClient("neli.kafka.ssl.bundle=own"))
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll("neli.kafka.ssl.bundle is 'own'", "define spring.ssl.bundle.pem.own");
    }

    @Test
    void a_bundle_that_is_empty_is_not_set() {
        assertThat(electionClient("neli.kafka.ssl.bundle=", "neli.kafka.properties[ssl.truststore.location]=/own.pem"))
                .containsEntry("ssl.truststore.location", "/own.pem")
                .doesNotContainKey("ssl.engine.factory.class");
    }

    @Test
    void a_bundle_beside_a_store_is_refused() {
        assertThatThrownBy(() -> electionClient(
                        "neli.kafka.ssl.bundle=own", "neli.kafka.properties[ssl.truststore.location]=/own.pem"))
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll(
                        "neli.kafka.ssl.bundle is 'own'", "neli.kafka.properties.ssl.truststore.location", "set one");
    }

    private Map<String, Object> electionClient(String... properties) {
        Map<String, Object> client = new HashMap<>();
        runner.withPropertyValues(properties).run(context -> {
            NeliProperties own = Binder.get(context.getEnvironment()).bindOrCreate("neli", NeliProperties.class);
            client.putAll(ElectionClientProperties.of(
                    own.kafka(),
                    context.getBean(KafkaProperties.class),
                    context.getBean(KafkaConnectionDetails.class),
                    context.getBean(SslBundles.class)));
        });
        return client;
    }

    private static NeliProperties.Kafka kafka(Map<String, String> properties) {
        return NeliBuilderConfigurerTest.bound(properties).kafka();
    }

    private record Details(String protocol, SslBundle bundle) implements KafkaConnectionDetails {

        @Override
        public List<String> getBootstrapServers() {
            return List.of("container:9092");
        }

        @Override
        public String getSecurityProtocol() {
            return protocol;
        }

        @Override
        public SslBundle getSslBundle() {
            return bundle;
        }
    }
}
