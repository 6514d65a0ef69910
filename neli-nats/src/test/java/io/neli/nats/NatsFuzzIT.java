package io.neli.nats;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import io.neli.LogFuzz;
import io.neli.programs.Needs;
import io.neli.programs.Program;
import org.junit.jupiter.api.AfterEach;

import static io.neli.TestMember.PATIENCE;

/** Random headers, even those that the server interprets, lines that no client writes, sizes and subjects. */
@Needs(Program.NATS_SERVER)
class NatsFuzzIT extends LogFuzz {

    private static final List<String> OF_SERVER = List.of(
            "Nats-Msg-Id",
            "Nats-Rollup",
            "Nats-TTL",
            "Nats-Expected-Last-Sequence",
            "Nats-Expected-Stream",
            "Nats-Marker-Reason",
            "Nats-Incr",
            "Nats-Batch-Id",
            "Nats-Schedule",
            "Nats-Stream-Source",
            "Status",
            "Nats-Last-Consumer");

    private final String url = new NatsServers().shared();
    private final Connection connection = connect();

    /** Connects again when needed: the server ends a connection that sends too much. */
    private Connection connect() {
        try {
            return Nats.connect(new Options.Builder()
                    .server(url)
                    .connectionTimeout(PATIENCE)
                    .reconnectWait(Duration.ofMillis(20))
                    .errorListener(new ErrorListener() {})
                    .build());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        NatsServers.close(connection);
    }

    @Override
    protected void write(String topic) throws Exception {
        String subject = random.nextInt(6) > 0
                ? new Subjects(topic).of(0)
                : oneOf(List.of(
                        new Subjects(topic).of(1), new Subjects(topic).of(1_000), new Subjects(topic).members()));
        if (random.nextInt(12) == 0) {
            RawMessages.publish(url, subject, oneOf(RawMessages.HEADERS));
            return;
        }
        Headers headers = new Headers();
        headers().forEach((name, value) -> headers.put(name, RecordHeaders.encoded(value)));
        headers.put("group", RecordHeaders.encoded(random.nextInt(8) > 0 ? codec.key() : bytes(oneOf(ODD))));
        for (int left = random.nextInt(4); left > 0; left--) {
            disturb(headers, oneOf(List.copyOf(headers.keySet())));
        }
        connection.publish(NatsMessage.builder()
                .subject(subject)
                .headers(headers)
                .data(noise(size()))
                .build());
        connection.flush(Duration.ofSeconds(1)); // answered if it is stored or refused, but not if the connection ends
    }

    private int size() {
        int limit = Math.toIntExact(connection.getMaxPayload());
        return random.nextInt(8) > 0
                ? random.nextInt(100)
                : oneOf(List.of(0, 100_000, limit - 1_000, limit - 600, limit));
    }

    private void disturb(Headers headers, String name) {
        String value = random.nextBoolean() ? oneOf(ODD) : RecordHeaders.encoded(noise(random.nextInt(40)));
        switch (random.nextInt(6)) {
            case 0 -> headers.remove(name);
            case 1 -> headers.put(name, value);
            case 2 -> headers.add(name, value); // a duplicate
            case 3 -> headers.add(oneOf(ODD), value);
            case 4 -> headers.put(oneOf(OF_SERVER), oneOf(List.of("1", "all", "sub", "x", "0s", "-1", value)));
            default -> headers.put(name, "");
        }
    }
}
