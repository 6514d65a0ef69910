package io.neli.sample.lab;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import io.neli.LeaderTerm;
import io.neli.NeliException;
import io.neli.sample.lab.history.History;
import io.neli.sample.lab.view.LabState;
import io.neli.sample.lab.view.LabState.Broker;
import io.neli.sample.lab.view.LabState.ProcessState;
import io.neli.sample.lab.view.PageView;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

/** Requests as a browser or another program could send them, byte by byte. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT, properties = "spring.config.name=lab")
@Timeout(60)
class LabWebTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String ACTION = "POST /api/processes/alice/kill";

    @MockitoBean
    private Lab lab;

    @LocalServerPort
    private int port;

    private final List<Socket> sockets = new ArrayList<>();

    @BeforeEach
    void alice_runs() {
        when(lab.view())
                .thenReturn(PageView.of(new LabState(
                        0,
                        3000,
                        List.of(new Broker("broker", "127.0.0.1:9092", ProcessState.RUNNING, Map.of())),
                        List.of(),
                        new History(3000, Set.of("broker")).view())));
        doThrow(new IllegalArgumentException("no dave")).when(lab).perform("dave", "kill");
        doThrow(new IllegalStateException("alice is running already."))
                .when(lab)
                .perform("alice", "start");
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, , 204",
        "127.0.0.1, , 204",
        "[::1], , 204",
        "[::1]:8484, http://[::1]:8484, 204",
        "localhost:8484, http://localhost:8484, 204",
        "LOCALHOST, , 204",
        "localhost, http://localhost, 204",
        "127.0.0.1, http://127.0.0.1, 204",
        "evil.example, , 403",
        "evil.example, http://evil.example, 403",
        "localhost.evil.example, , 403",
        "localhost., , 403",
        "127.0.0.1.evil.example:8484, , 403",
        "localhost, http://evil.example, 403",
        "localhost, https://localhost, 403",
        "localhost, http://127.0.0.1, 403",
        "localhost, null, 403"
    })
    void only_the_labs_own_page_and_programs_other_than_browsers_can_send_commands(
            String host, String origin, int status) throws IOException {
        assertThat(status(ACTION, host, origin)).isEqualTo(status);
        verify(lab, times(status == 204 ? 1 : 0)).perform("alice", "kill");
    }

    @Test
    void a_page_on_another_port_of_this_machine_is_another_origin() throws IOException {
        assertThat(exchange(ACTION, "Host: localhost:" + port, "Origin: http://localhost:1"))
                .startsWith("HTTP/1.1 403");
    }

    @ParameterizedTest
    @CsvSource({"localhost, , 200", "evil.example, , 403", "localhost, http://evil.example, 403"})
    void the_same_rules_apply_to_reading(String host, String origin, int status) throws IOException {
        assertThat(status("GET /api/view", host, origin)).isEqualTo(status);
    }

    @Test
    void a_response_forbids_content_from_elsewhere_and_reading_by_others() throws IOException {
        assertThat(exchange("GET /nothing", "Host: localhost"))
                .startsWith("HTTP/1.1 404")
                .contains("Content-Security-Policy: default-src 'self'", "X-Content-Type-Options: nosniff")
                .doesNotContain("Access-Control-");
    }

    @Test
    void a_command_is_a_post() throws IOException {
        for (String method : List.of("GET", "HEAD", "PUT", "DELETE")) {
            assertThat(exchange(method + " /api/processes/alice/kill", "Host: localhost"))
                    .startsWith("HTTP/1.1 405");
        }
        assertThat(exchange("OPTIONS /api/processes/alice/kill", "Host: localhost"))
                .startsWith("HTTP/1.1 200")
                .doesNotContain("Access-Control-");
        verify(lab, never()).perform(any(), any());
    }

    @Test
    void an_unknown_command_is_not_found_and_one_that_is_not_possible_now_is_a_conflict() throws IOException {
        assertThat(exchange("POST /api/processes/dave/kill", "Host: localhost"))
                .startsWith("HTTP/1.1 404")
                .contains("application/problem+json", "\"detail\":\"no dave\"");
        assertThat(exchange("POST /api/processes/alice/start", "Host: localhost"))
                .startsWith("HTTP/1.1 409")
                .contains("application/problem+json", "\"detail\":\"alice is running already.\"");
        assertThat(exchange("POST /api/processes/broker/stop", "Host: localhost"))
                .startsWith("HTTP/1.1 204");
        verify(lab).perform("broker", "stop");
    }

    @Test
    void the_page_and_what_it_shows_are_served() throws IOException {
        assertThat(exchange("GET /", "Host: localhost"))
                .startsWith("HTTP/1.1 200")
                .contains("<title>Neli failover lab");
        assertThat(exchange("GET /api/view", "Host: localhost"))
                .startsWith("HTTP/1.1 200")
                .contains("\"headline\":{\"leader\":\"\"", "\"address\":\"127.0.0.1:9092\"");
    }

    @Test
    void who_led_when_is_read_from_the_log_if_that_can_be_read() throws Exception {
        when(lab.terms())
                .thenReturn(List.of(new LeaderTerm(
                        1795597856713L,
                        "alice",
                        Map.of(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(Duration.ofMillis(2810)))))
                .thenThrow(new NeliException("no broker answers", "start one"));

        assertThat(exchange("GET /api/terms", "Host: localhost"))
                .startsWith("HTTP/1.1 200")
                .contains("[{\"time\":\"earlier\",\"member\":\"alice\",\"token\":\"token …856713\","
                        + "\"end\":\"leads\",\"unled\":\"2.81 s\"}]");
        assertThat(exchange("GET /api/terms", "Host: localhost"))
                .startsWith("HTTP/1.1 503")
                .contains("no broker answers");
    }

    private int status(String request, String host, String origin) throws IOException {
        List<String> headers = new ArrayList<>(List.of("Host: " + host));
        if (origin != null) {
            headers.add("Origin: " + origin);
        }
        BufferedReader answer = send(request, headers);
        return Integer.parseInt(answer.readLine().split(" ")[1]);
    }

    private String exchange(String request, String... headers) throws IOException {
        List<String> all = new ArrayList<>(List.of(headers));
        all.add("Connection: close");
        return send(request, all).lines().collect(Collectors.joining("\n"));
    }

    private BufferedReader send(String request, List<String> headers) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.add(socket);
        socket.setSoTimeout((int) LIMIT.toMillis());
        String text = request + " HTTP/1.1\r\n" + String.join("\r\n", headers) + "\r\nContent-Length: 0\r\n\r\n";
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({LabController.class, SameOriginFilter.class})
    static class Web {}
}
