package io.neli.nats;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
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

import static io.neli.TestMember.PATIENCE;
import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** Messages that a server stores and that no client can parse, or that look like the server's own reports. */
@Needs(Program.NATS_SERVER)
class UnreadableMessageIT {

    private static final List<String> HEADERS = List.of(
            "NATS/1.0\r\nmember: J\u00fcrgen\r\n\r\n",
            "NATS/1.0\r\nJ\u00fcrgen: member\r\n\r\n",
            "NATS/1.0\r\nmember: \ud83d\ude00\r\n\r\n",
            "NATS/1.0\r\nno colon here\r\n\r\n",
            "NATS/1.0\r\na: b\r\nno colon here\r\n\r\n",
            "NATS/1.0\r\n: x\r\n\r\n",
            "NATS/1.0\r\n:\r\n\r\n",
            "NATS/1.0\r\n : x\r\n\r\n",
            "NATS/1.0\r\na b: c\r\n\r\n",
            "NATS/1.0\r\na\tb: c\r\n\r\n",
            "NATS/1.0\r\ngroup:\r\nneli: 1\r\n\r\n",
            "NATS/1.0\r\na: b\r\n c\r\n\r\n",
            "NATS/1.0\r\na: b\nc: d\r\n\r\n",
            "NATS/1.0\r\na: b\r\n",
            "NATS/1.0\r\n\r\n\r\n",
            "NATS/1.0\r\n\r\nx\r\n\r\n",
            "NATS/1.0 503\r\n\r\n",
            "NATS/1.0 404 No Messages\r\n\r\n",
            "NATS/1.0 abc def\r\n\r\n",
            "NATS/1.0 -1\r\n\r\n",
            "NATS/1.0 100 Idle Heartbeat\r\nNats-Last-Consumer: 1\r\nNats-Last-Stream: 1\r\n\r\n",
            "NATS/1.0 100 FlowControl Request\r\nNats-Last-Consumer: x\r\n\r\n",
            "NATS/1.1\r\na: b\r\n\r\n",
            "\r\n");

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

    /** Publishes what no client would: the headers are bytes. Returns when the server has them. */
    private void publish(String subject, String headers) throws IOException {
        URI server = URI.create(url);
        byte[] bytes = headers.getBytes(StandardCharsets.UTF_8);
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.getOutputStream()
                    .write(("CONNECT {\"verbose\":false,\"headers\":true}\r\nHPUB " + subject + " " + bytes.length + " "
                                    + bytes.length + "\r\n" + headers + "\r\nPING\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            BufferedReader answers =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            assertThat(answers.lines()
                            .filter(line -> line.equals("PONG") || line.startsWith("-ERR"))
                            .findFirst())
                    .as(headers)
                    .hasValue("PONG");
        }
    }

    /** The leader has read up to that sequence at least, says its last record. */
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
        List<String> groups =
                HEADERS.stream().map(each -> TestServers.unusedName("header")).toList();
        groups.forEach(this::member);
        for (Neli member : members) {
            assertThat(member.awaitLeadership(PATIENCE)).isPresent();
        }
        long[] published = new long[groups.size()];
        for (int i = 0; i < published.length; i++) {
            publish(named(groups.get(i)), HEADERS.get(i));
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
        for (String headers : HEADERS) {
            publish(named(group), headers);
        }
        awaitLedAfter(group, first, last(group));
        Neli second = member(group);
        eventually().until(() -> second.leader().isPresent());
        first.close();
        assertThat(second.awaitLeadership(PATIENCE)).isPresent();
    }
}
