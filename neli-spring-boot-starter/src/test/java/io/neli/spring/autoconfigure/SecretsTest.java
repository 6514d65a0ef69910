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
import io.neli.internal.shell.UnusableLogException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SecretsTest {

    private final ShellSettings shell = new ShellSettings(
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
                    new GroupConfig(Mode.EXCLUSIVE, 1, "none", 1),
                    Map.of()));

    /** Kafka takes what follows a quotation mark within a value for more of the configuration. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"ab\"hidden\";",
                "\"ab\"\"hid'den\"\";",
                "\"ab\"\"hid\\nden\"\";",
                "\"ab\";module hidden\";",
            })
    void no_problem_shows_a_part_of_a_password(String password) {
        KafkaProvider provider = new KafkaProvider(Map.of(
                "bootstrap.servers",
                "localhost:1",
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"billing\" password="
                        + password));

        assertThatThrownBy(() -> provider.history(shell, 0, 0))
                .isInstanceOfSatisfying(UnusableLogException.class, thrown -> assertThat(
                                thrown.problem().text())
                        .contains("JAAS config")
                        .doesNotContain("hid"));
    }

    /** They are printed in unexpected places: in a debugger, in the message of a failed assertion, in a log. */
    @Test
    void no_record_prints_a_password() {
        Map<String, Object> client = Map.of("bootstrap.servers", "localhost:9092", "sasl.jaas.config", "hidden");
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
