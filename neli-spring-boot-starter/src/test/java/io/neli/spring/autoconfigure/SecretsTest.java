package io.neli.spring.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.neli.Mode;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.kafka.KafkaSettings;
import io.neli.internal.member.KafkaProvider;
import io.neli.internal.shell.ShellSettings;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Records are printed in unexpected places: in a debugger, in the message of a failed assertion, in a log. */
class SecretsTest {

    @Test
    void no_record_prints_a_password() {
        Map<String, Object> client = Map.of("bootstrap.servers", "localhost:9092", "sasl.jaas.config", "hidden");
        ShellSettings shell = new ShellSettings(
                "member",
                "group",
                "topic",
                true,
                0,
                List.of(),
                new ElectionSettings(
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(10),
                        new GroupConfig(Mode.EXCLUSIVE, 1, "none"),
                        Map.of()));

        List<Object> records = List.of(
                new KafkaProvider(client),
                new KafkaSettings(client, shell, true, null, Duration.ofDays(1)),
                new NeliProperties.Kafka(
                        List.of("localhost:9092"),
                        new NeliProperties.Kafka.Security(null),
                        new NeliProperties.Kafka.Ssl(null),
                        Map.of("sasl.jaas.config", "hidden")),
                new NeliProperties.Nats(
                        List.of("nats://user:hidden@localhost"),
                        Path.of("billing.creds"),
                        "user",
                        "hidden",
                        "hidden",
                        new NeliProperties.Nats.Ssl(null)));

        assertThat(records).allSatisfy(each -> assertThat(each.toString()).doesNotContain("hidden"));
    }
}
