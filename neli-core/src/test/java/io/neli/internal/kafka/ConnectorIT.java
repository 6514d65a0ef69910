package io.neli.internal.kafka;

import org.junit.jupiter.api.Test;

import static io.neli.internal.kafka.TestElection.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class ConnectorIT {

    private final KafkaSettings settings = Settings.onSharedBroker(TestBroker.unusedName("connector"), "member");
    private final ControlledClients clients = new ControlledClients();

    private Connector connector() {
        return new Connector(
                "connect",
                () -> LogConnection.connect(
                        settings,
                        MemberClock.system(),
                        new LeaderTopics(settings),
                        new ClientProperties(settings),
                        clients,
                        () -> {}),
                () -> {});
    }

    @Test
    void a_connection_that_nobody_has_taken_is_closed() {
        try (Connector connector = connector()) {
            eventually().until(connector::isDone);
            assertThat(clients.reader().closed).isFalse();
        }
        assertThat(clients.reader().closed).isTrue();
    }

    @Test
    void a_connection_that_was_taken_is_its_takers() throws Throwable {
        LogConnection taken;
        try (Connector connector = connector()) {
            eventually().until(connector::isDone);
            taken = connector.take();
        }
        assertThat(clients.reader().closed).isFalse();
        assertThat(taken).isNotNull();
        taken.close();
    }
}
