package io.neli.nats;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.nats.client.Connection;
import io.nats.client.Options;
import io.nats.client.api.StreamConfiguration;
import io.neli.TestServers;
import io.neli.internal.election.Moment;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.ShellSettings;
import io.neli.internal.shell.UnusableLogException;
import io.neli.programs.Needs;
import io.neli.programs.Program;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Reads past terms within limits. */
@Needs(Program.NATS_SERVER)
class NatsHistoryIT {

    private static final int IN_TIME = 5;

    @Test
    void it_ends_with_its_time_also_where_messages_keep_coming() throws Exception {
        String group = TestServers.unusedName("history");
        String url = new NatsServers().shared();
        Connection connection = NatsServers.connect(url);
        try {
            connection
                    .jetStreamManagement()
                    .addStream(StreamConfiguration.builder()
                            .name(group)
                            .subjects(new Subjects(group).all())
                            .build());
            for (int i = 0; i < 2 * IN_TIME; i++) {
                connection.jetStream().publish(new Subjects(group).of(0), new byte[0]);
            }
        } finally {
            NatsServers.close(connection);
        }
        ShellSettings some = LeaderStreamTest.SETTINGS;
        ShellSettings settings = new ShellSettings(
                some.name(), group, group, some.candidate(), some.priority(), some.roles(), some.election());
        AtomicInteger readings = new AtomicInteger();
        MemberClock clock = () -> {
            Moment now = MemberClock.system().now();
            return readings.incrementAndGet() <= IN_TIME
                    ? now
                    : new Moment(now.time().plus(Duration.ofHours(1)), now.wallMillis());
        };

        NatsHistory history = new NatsHistory(Options.builder().server(url).build(), "shown", settings, clock);

        assertThatThrownBy(() -> history.read(0, 0))
                .isInstanceOf(UnusableLogException.class)
                .hasMessageContaining("it was not read within 20 s");
    }
}
