package io.neli.nats;

import io.neli.NeliBuilder;
import io.neli.NeliException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Settings that are refused before anything connects. */
class NatsNeliTest {

    private static void assertRefused(String[] servers, String... words) {
        assertThatThrownBy(() -> NatsNeli.builder(servers))
                .isInstanceOf(NeliException.class)
                .hasMessageStartingWith("servers is '")
                .hasMessageContainingAll("NatsNeli.builder", "such as nats://host:4222")
                .hasMessageContainingAll(words)
                .hasMessageNotContaining("secret");
    }

    @Test
    void no_address_does_not_mean_a_server_on_this_machine() {
        assertRefused(new String[] {}, "''", "there is no address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void a_blank_address_is_refused(String server) {
        assertRefused(new String[] {"nats://localhost:1", server}, "'" + server + "'", "blank");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nats://local host:1", "http://localhost:1", "nats://", "nats://one:1,nats://two:2"})
    void what_is_not_an_address_is_refused(String server) {
        assertRefused(new String[] {server}, "'" + server + "'", "not an address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nats://me:secret@local host", "secret@local host"})
    void a_password_in_an_address_is_not_shown(String server) {
        assertRefused(new String[] {server}, "...@local host'");
    }

    @Test
    void a_port_that_does_not_exist_is_refused() {
        assertThatThrownBy(() -> NatsNeli.builder("nats://localhost:65536")
                        .groupId("group")
                        .build())
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll("neli.nats.servers is 'nats://localhost:65536'", "larger than 65535");
    }

    @Test
    void more_replicas_than_any_stream_has_are_refused() {
        NeliBuilder builder = NatsNeli.builder("nats://localhost:1").groupId("group");
        assertThatThrownBy(() -> builder.replicationFactor(6).build())
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll("neli.topic.replication-factor is '6'", "at most 5 replicas");
        assertThatCode(() -> builder.replicationFactor(5).build()).doesNotThrowAnyException();
    }
}
