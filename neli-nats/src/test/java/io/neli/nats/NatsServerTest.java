package io.neli.nats;

import io.nats.client.Connection;
import io.nats.client.api.StreamConfiguration;
import io.neli.programs.Needs;
import io.neli.programs.Program;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Needs(Program.NATS_SERVER)
class NatsServerTest {

    @Test
    @SuppressWarnings("try") // closing a connection may be interrupted
    void a_server_that_is_killed_and_started_again_has_its_address_and_its_streams() throws Exception {
        try (NatsServer server = NatsServer.start()) {
            String url = server.url();
            try (Connection connection = NatsServers.connect(url)) {
                connection
                        .jetStreamManagement()
                        .addStream(StreamConfiguration.builder().name("kept").build());
            }
            server.kill();
            server.restart();
            assertThat(server.url()).isEqualTo(url);
            try (Connection connection = NatsServers.connect(url)) {
                assertThat(connection.jetStreamManagement().getStreamNames()).containsExactly("kept");
            }
        }
    }
}
