package io.neli.nats;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Publishes messages that a server stores but no client writes. */
final class RawMessages {

    static final List<String> HEADERS = List.of(
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

    private RawMessages() {}

    /** Publishes a message with raw headers. Returns when the server has it. */
    static void publish(String url, String subject, String headers) throws IOException {
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
}
