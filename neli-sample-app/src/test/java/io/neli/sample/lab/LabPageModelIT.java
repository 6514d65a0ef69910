package io.neli.sample.lab;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/** The page's pure part, in the engine that runs it, without a lab. */
@Timeout(120)
class LabPageModelIT {

    private static @Nullable Browser browser;
    private static @Nullable HttpServer server;

    @BeforeAll
    static void start() throws IOException {
        browser = Browser.start();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", LabPageModelIT::serve);
        server.start();
        browser.open("http://localhost:" + server.getAddress().getPort() + "/favicon.svg");
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.stop(0);
        }
    }

    @Test
    void what_is_drawn_follows_from_what_the_lab_says() throws IOException {
        String script = new ClassPathResource("page-model-tests.js").getContentAsString(StandardCharsets.UTF_8);

        Object outcome = browser.await("const done = arguments[arguments.length - 1];"
                + "(async () => { %s })().then(done, (error) => done([String(error.stack)]));".formatted(script));

        assertThat((List<?>) outcome).isEmpty();
    }

    private static void serve(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        try (exchange;
                InputStream content = new ClassPathResource("lab" + path).getInputStream()) {
            exchange.getResponseHeaders()
                    .add("Content-Type", path.endsWith(".js") ? "text/javascript" : "image/svg+xml");
            exchange.sendResponseHeaders(200, 0);
            content.transferTo(exchange.getResponseBody());
        }
    }
}
