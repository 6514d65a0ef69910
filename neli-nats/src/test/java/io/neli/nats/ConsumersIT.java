package io.neli.nats;

import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;

import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.StreamConfiguration;
import io.neli.Mode;
import io.neli.TestServers;
import io.neli.cluster.Await;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.shell.ShellSettings;
import io.neli.programs.Needs;
import io.neli.programs.Program;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Finds the first message that a lease may still depend on. */
@Needs(Program.NATS_SERVER)
class ConsumersIT {

    private final String group = TestServers.unusedName("consumers");
    private final Connection connection = NatsServers.connect(new NatsServers().shared());
    private final Consumers consumers = new Consumers(
            connection,
            new ShellSettings(
                    "member",
                    group,
                    group,
                    true,
                    0,
                    List.of(),
                    new ElectionSettings(
                            Duration.ofSeconds(2),
                            Duration.ofMillis(100),
                            Duration.ofSeconds(10),
                            new GroupConfig(Mode.EXCLUSIVE, 1, "none", 1),
                            Map.of())));

    @AfterEach
    void end() {
        NatsServers.close(connection);
    }

    @Test
    void the_server_tells_the_first_sequence_of_a_time() throws Exception {
        JetStreamManagement streams = connection.jetStreamManagement();
        streams.addStream(StreamConfiguration.builder()
                .name(group)
                .subjects(new Subjects(group).all())
                .build());
        assertThat(consumers.sequenceAt(ZonedDateTime.now())).as("of none").isEqualTo(1);
        for (int i = 0; i < 4; i++) {
            connection.jetStream().publish(new Subjects(group).of(0), new byte[0]);
            Await.elapsed(Duration.ofMillis(2)); // so that no two have the same time
        }

        ZonedDateTime third = streams.getMessage(group, 3).getTime();

        assertThat(consumers.sequenceAt(third)).isEqualTo(3);
        assertThat(consumers.sequenceAt(third.minusYears(1))).isEqualTo(1);
        assertThat(consumers.sequenceAt(third.plusYears(1))).isEqualTo(5);
        assertThat(consumers.from(3).getDelivered().getStreamSequence()).isEqualTo(2);
    }
}
