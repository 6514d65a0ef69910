package io.neli.nats;

import java.net.URI;
import java.time.Duration;

import io.neli.Neli;
import io.neli.TestServers;
import io.neli.harness.Link;
import io.neli.harness.Network;
import io.neli.programs.Needs;
import io.neli.programs.Program;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

/** A member far away from its servers. */
@Needs(Program.NATS_SERVER)
@Tag("proof")
class SlowLinkIT {

    @Test
    void a_member_leads_whose_round_trip_takes_longer_than_the_first_limit_for_a_consumer() throws Exception {
        try (Network network = new Network()) {
            Link link = network.link(URI.create(new NatsServers().shared()).getPort());
            link.delay(Duration.ofMillis(170)); // in each direction
            try (Neli member = NatsNeli.builder("nats://" + link.address())
                    .groupId(TestServers.unusedName("slow"))
                    .leaseDuration(Duration.ofSeconds(15))
                    .start()) {
                assertThat(member.awaitLeadership(PATIENCE)).isPresent();
            }
        }
    }
}
