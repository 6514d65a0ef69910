package io.neli.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import io.neli.Neli;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

class MainTest {

    @Test
    void without_bootstrap_servers_it_is_the_lab() {
        assertThat(Main.isInstance(environment("spring.application.name", "sample")))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "spring.kafka.bootstrap-servers, kafka:9092",
        "spring.kafka.bootstrapServers, kafka:9092",
        "spring.kafka.bootstrap-servers[0], kafka:9092",
        "SPRING_KAFKA_BOOTSTRAP_SERVERS, kafka:9092",
        "SPRING_KAFKA_BOOTSTRAPSERVERS, kafka:9092",
        "neli.kafka.bootstrap-servers, kafka:9092",
        "neli.kafka.bootstrap-servers[0], kafka:9092",
        "NELI_KAFKA_BOOTSTRAPSERVERS, kafka:9092",
        "neli.kafka.properties.bootstrap.servers, kafka:9092",
        "neli.kafka.properties[bootstrap.servers], kafka:9092",
        "neli.enabled, false"
    })
    void it_is_an_instance_with(String property, String value) {
        assertThat(Main.isInstance(environment(property, value))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"--broker, 9092", "--broker=9093, 9093", "--brokers=3, -1", "--neli.name=--broker, -1"})
    void it_is_just_a_broker_with(String argument, int port) {
        assertThat(Main.brokerPort("--neli.name=alice", argument).orElse(-1)).isEqualTo(port);
    }

    @ParameterizedTest
    @CsvSource({"three", "3", "0000", "65536", "localhost:9093"})
    void a_broker_at_what_is_no_port_is_refused(String value) {
        assertThatThrownBy(() -> Main.brokerPort("--broker=" + value))
                .hasMessageContainingAll("--broker=" + value, "--broker=9093", "--brokers=3");
    }

    @ParameterizedTest
    @CsvSource({"--history, true", "--history=x, true", "--historical, false", "--neli.name=--history, false"})
    void it_is_meant_to_print_who_led_with(String argument, boolean meant) {
        assertThat(HistoryCommand.isMeant("--group=billing", argument)).isEqualTo(meant);
    }

    @ParameterizedTest
    @CsvSource({"abc", "0s", "-1h", "9223372036854775807d"})
    void what_is_no_time_is_refused(String value) {
        assertThatThrownBy(() -> HistoryCommand.print(
                        System.out, "--history", "--bootstrap=localhost:9092", "--group=billing", "--since=" + value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--since=" + value + ": use a time longer than 0, such as 6h");
    }

    @Test
    void a_time_that_the_log_is_too_long_for_is_refused_with_the_reason() throws InterruptedException {
        Neli group = mock(Neli.class);
        when(group.history(anyString(), any())).thenThrow(new IllegalArgumentException("use a shorter time"));
        assertThatThrownBy(() -> HistoryCommand.history(group, "partition-0", "30d"))
                .hasMessage("--since=30d: use a shorter time");
    }

    @Test
    void a_malformed_file_is_refused_with_its_name(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("client.properties"), "client.id=\\uxyz");
        assertThatThrownBy(() -> HistoryCommand.print(
                        System.out, "--history", "--bootstrap=localhost:9092", "--group=billing", "--config=" + file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--config=" + file + " cannot be read");
    }

    @Test
    void a_file_that_cannot_be_read_is_refused_like_any_wrong_argument() {
        assertThatThrownBy(() -> HistoryCommand.print(
                        System.out, "--history", "--bootstrap=localhost:9092", "--group=billing", "--config=none"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--config=none cannot be read");
    }

    private static ConfigurableEnvironment environment(String property, String value) {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .forEach(source -> environment.getPropertySources().remove(source.getName()));
        environment
                .getPropertySources()
                .addLast(new SystemEnvironmentPropertySource(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of(property, value)));
        return environment;
    }
}
