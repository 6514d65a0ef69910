package io.neli.sample.lab.web;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import io.neli.sample.lab.web.Updates.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Requests as a browser or anybody else could make them, byte by byte. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT, properties = "spring.config.name=lab")
@Timeout(60)
class LabWebTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String ACTION = "POST /api/instances/alice/kill";

    @Autowired
    private Updates updates;

    @Autowired
    private PressedButtons pressed;

    @LocalServerPort
    private int port;

    private final List<Socket> sockets = new ArrayList<>();

    @BeforeEach
    void publish() {
        pressed.clear();
        updates.publish(Kind.LAB, "{\"now\":1}");
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, , , 204",
        "127.0.0.1, , , 204",
        "[::1], , , 204",
        "[::1]:8484, http://[::1]:8484, same-origin, 204",
        "localhost:8484, http://localhost:8484, same-origin, 204",
        "LOCALHOST, , , 204",
        "localhost, http://localhost, same-origin, 204",
        "127.0.0.1, http://127.0.0.1, same-origin, 204",
        "evil.example, , , 403",
        "evil.example, http://evil.example, same-origin, 403",
        "localhost.evil.example, , , 403",
        "localhost., , , 403",
        "127.0.0.1.evil.example:8484, , , 403",
        "localhost, http://evil.example, , 403",
        "localhost, https://localhost, , 403",
        "localhost, http://127.0.0.1, , 403",
        "localhost, null, , 403",
        "localhost, , cross-site, 403",
        "localhost, , same-site, 403",
        "localhost, , none, 403"
    })
    void only_the_labs_own_page_and_programs_that_are_no_browser_press_a_button(
            String host, String origin, String site, int status) throws IOException {
        assertThat(status(ACTION, host, origin, site)).isEqualTo(status);
        assertThat(pressed.actions()).hasSize(status == 204 ? 1 : 0);
    }

    @Test
    void a_page_on_another_port_of_this_machine_is_another_origin() throws IOException {
        assertThat(exchange(ACTION, "Host: localhost:" + port, "Origin: http://localhost:1"))
                .startsWith("HTTP/1.1 403");
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, , none, 200",
        "localhost, , same-origin, 200",
        "localhost, , cross-site, 403",
        "evil.example, , , 403",
        "localhost, http://evil.example, , 403"
    })
    void only_the_same_may_read(String host, String origin, String site, int status) throws IOException {
        assertThat(status("GET /api/events", host, origin, site)).isEqualTo(status);
    }

    @Test
    void an_answer_lets_the_browser_load_nothing_from_elsewhere_and_nobody_else_read_it() throws IOException {
        assertThat(exchange("GET /nothing", "Host: localhost"))
                .startsWith("HTTP/1.1 404")
                .contains("Content-Security-Policy: default-src 'self'", "X-Content-Type-Options: nosniff")
                .doesNotContain("Access-Control-");
    }

    @Test
    void a_button_is_pressed_by_a_post_alone() throws IOException {
        for (String method : List.of("GET", "HEAD", "PUT", "DELETE")) {
            assertThat(exchange(method + " /api/instances/alice/kill", "Host: localhost"))
                    .startsWith("HTTP/1.1 405");
        }
        assertThat(exchange("OPTIONS /api/instances/alice/kill", "Host: localhost"))
                .startsWith("HTTP/1.1 200")
                .doesNotContain("Access-Control-");
        assertThat(pressed.actions()).isEmpty();
    }

    @Test
    void what_there_is_not_is_not_found_and_what_cannot_be_done_now_is_a_conflict() throws IOException {
        assertThat(exchange("POST /api/instances/dave/kill", "Host: localhost"))
                .startsWith("HTTP/1.1 404")
                .contains("application/problem+json", "\"problem\":\"no dave\"");
        assertThat(exchange("POST /api/instances/alice/start", "Host: localhost"))
                .startsWith("HTTP/1.1 409")
                .contains("application/problem+json", "\"problem\":\"alice runs already\"");
        assertThat(exchange("POST /api/broker/stop", "Host: localhost")).startsWith("HTTP/1.1 204");
        assertThat(pressed.actions()).containsExactly("broker stop");
    }

    @Test
    void a_page_gets_the_newest_of_each_kind_at_once_and_then_what_changes() throws IOException {
        updates.publish(Kind.HISTORY, "{\"terms\":[]}");
        updates.publish(Kind.LEDGER, "{\"entries\":[]}");
        BufferedReader events = listen();

        assertThat(head(events)).contains("Content-Type: text/event-stream;charset=UTF-8");
        assertThat(until(events, "event: ledger"))
                .contains("event: lab", "data: {\"now\":1}", "event: history", "data: {\"terms\":[]}");
        updates.publish(Kind.LAB, "{\"now\":2}");
        assertThat(until(events, "data: {\"now\":2}")).doesNotContain("event: history");
        assertThat(until(events, ": still here")).isNotEmpty();
    }

    @Test
    void who_asks_for_the_head_of_the_stream_alone_is_not_kept_as_a_page() throws IOException {
        assertThat(exchange("HEAD /api/events", "Host: localhost"))
                .startsWith("HTTP/1.1 200")
                .contains("Content-Type: text/event-stream");
    }

    @Test
    void a_page_that_takes_nothing_holds_up_no_other() throws IOException {
        listenAndHang();

        BufferedReader other = listen();
        updates.publish(Kind.LAB, "{\"now\":3}");
        assertThat(until(other, "data: {\"now\":3}")).isNotEmpty();
    }

    @Test
    void too_many_pages_are_told_so_and_one_that_goes_or_hangs_makes_room() throws IOException {
        List<Socket> pages = new ArrayList<>();
        while (pages.size() < EventStream.PAGES - 1) {
            awaitRoom(); // pages of another test may only now be found to have gone
            pages.add(sockets.get(sockets.size() - 1));
        }
        await().atMost(LIMIT).until(this::listensAndHangs);
        assertThat(exchange("GET /api/events", "Host: localhost"))
                .startsWith("HTTP/1.1 503")
                .contains("16 pages are listening already; close one of them");

        awaitRoom();

        pages.get(0).close();
        awaitRoom();
    }

    private void awaitRoom() {
        await().atMost(LIMIT).until(this::joins);
    }

    /** A page that begins to read what is more than the network holds, and goes no further. */
    private void listenAndHang() throws IOException {
        assertThat(listensAndHangs()).isTrue();
    }

    private boolean listensAndHangs() throws IOException {
        updates.publish(Kind.HISTORY, "\"" + "x".repeat(32_000_000) + "\"");
        BufferedReader page = listen();
        boolean listens = page.readLine().startsWith("HTTP/1.1 200");
        if (listens) {
            until(page, "event: history");
        }
        updates.publish(Kind.HISTORY, "{}");
        return listens;
    }

    private boolean joins() throws IOException {
        updates.publish(Kind.LAB, "{\"now\":4}");
        return listen().readLine().startsWith("HTTP/1.1 200");
    }

    private int status(String request, String host, String origin, String site) throws IOException {
        List<String> headers = new ArrayList<>(List.of("Host: " + host));
        if (origin != null) {
            headers.add("Origin: " + origin);
        }
        if (site != null) {
            headers.add("Sec-Fetch-Site: " + site);
        }
        BufferedReader answer = send(request, headers);
        return Integer.parseInt(answer.readLine().split(" ")[1]);
    }

    private String exchange(String request, String... headers) throws IOException {
        List<String> all = new ArrayList<>(List.of(headers));
        all.add("Connection: close");
        return String.join("\n", lines(send(request, all), Objects::isNull));
    }

    private BufferedReader listen() throws IOException {
        return send("GET /api/events", List.of("Host: localhost"));
    }

    private BufferedReader send(String request, List<String> headers) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.add(socket);
        socket.setSoTimeout((int) LIMIT.toMillis());
        String text = request + " HTTP/1.1\r\n" + String.join("\r\n", headers) + "\r\nContent-Length: 0\r\n\r\n";
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    private static List<String> head(BufferedReader answer) throws IOException {
        return until(answer, "");
    }

    private static List<String> until(BufferedReader answer, String last) throws IOException {
        return lines(answer, last::equals);
    }

    /** The lines up to that one, which is not among them; a stream that goes on without it is not read for ever. */
    private static List<String> lines(BufferedReader answer, Predicate<String> isLast) throws IOException {
        List<String> lines = new ArrayList<>();
        long begin = System.nanoTime();
        for (String line = answer.readLine(); !isLast.test(line); line = answer.readLine()) {
            assertThat(line).as("after %s", lines).isNotNull();
            lines.add(line);
            assertThat(System.nanoTime() - begin).as("time to read %s", lines).isLessThan(LIMIT.toNanos());
        }
        return lines;
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @ComponentScan
    static class Web {

        @Bean
        PressedButtons controls() {
            return new PressedButtons();
        }
    }

    /** There is alice, and she runs. */
    static final class PressedButtons implements Controls {

        private final List<String> actions = new CopyOnWriteArrayList<>();

        @Override
        public void instance(String instance, String action) {
            if (!instance.equals("alice")) {
                throw new UnknownControlException("no " + instance);
            }
            if (action.equals("start")) {
                throw new RefusedControlException("alice runs already");
            }
            actions.add(instance + " " + action);
        }

        @Override
        public void broker(String action) {
            actions.add("broker " + action);
        }

        List<String> actions() {
            return List.copyOf(actions);
        }

        void clear() {
            actions.clear();
        }
    }
}
