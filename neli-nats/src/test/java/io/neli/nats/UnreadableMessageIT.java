package io.neli.nats;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.neli.Neli;
import io.neli.TestServers;
import io.neli.programs.Needs;
import io.neli.programs.Program;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** Messages that a server stores but no client can parse, or that look like the server's own reports. */
@Execution(ExecutionMode.CONCURRENT) // each has a group of its own, and waits long
@Needs(Program.NATS_SERVER)
class UnreadableMessageIT {

    private final String url = new NatsServers().shared();
    private final Connection connection = NatsServers.connect(url);
    private final List<Neli> members = new ArrayList<>();

    @AfterEach
    void end() {
        members.forEach(Neli::close);
        NatsServers.close(connection);
    }

    private Neli member(String group) {
        Neli member = NatsNeli.builder(url)
                .groupId(group)
                .leaseDuration(Duration.ofSeconds(1))
                .heartbeatInterval(Duration.ofMillis(200))
                .start();
        members.add(member);
        return member;
    }

    private static String named(String group) {
        return "neli." + group + ".0";
    }

    /** Whether the leader's last record says that it has read up to {@code sequence}. */
    private boolean isReadTo(String group, long sequence) throws IOException, JetStreamApiException {
        String upTo = connection
                .jetStreamManagement()
                .getLastMessage(group, named(group))
                .getHeaders()
                .getFirst("up-to");
        return upTo != null && Long.parseLong(upTo) >= sequence;
    }

    private long last(String group) throws IOException, JetStreamApiException {
        return connection
                .jetStreamManagement()
                .getStreamInfo(group)
                .getStreamState()
                .getLastSequence();
    }

    private void awaitLedAfter(String group, Neli member, long sequence) {
        eventually().ignoreExceptions().until(() -> member.isLeader() && isReadTo(group, sequence));
    }

    @Test
    void a_group_is_led_again_whatever_the_headers_of_a_message_are() throws Exception {
        List<String> groups = RawMessages.HEADERS.stream()
                .map(each -> TestServers.unusedName("header"))
                .toList();
        groups.forEach(this::member);
        for (Neli member : members) {
            assertThat(member.awaitLeadership(PATIENCE)).isPresent();
        }
        long[] published = new long[groups.size()];
        for (int i = 0; i < published.length; i++) {
            RawMessages.publish(url, named(groups.get(i)), RawMessages.HEADERS.get(i));
            published[i] = last(groups.get(i));
        }
        for (int i = 0; i < published.length; i++) {
            awaitLedAfter(groups.get(i), members.get(i), published[i]);
        }
    }

    @Test
    void many_such_messages_in_a_row_are_passed_over_also_by_a_member_that_starts_then() throws Exception {
        String group = TestServers.unusedName("headers");
        Neli first = member(group);
        assertThat(first.awaitLeadership(PATIENCE)).isPresent();
        for (String headers : RawMessages.HEADERS) {
            RawMessages.publish(url, named(group), headers);
        }
        awaitLedAfter(group, first, last(group));
        Neli second = member(group);
        eventually().until(() -> second.leader().isPresent());
        first.close();
        assertThat(second.awaitLeadership(PATIENCE)).isPresent();
    }
}
