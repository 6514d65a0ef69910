package io.neli.sample.lab.web;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;

import io.neli.sample.lab.web.Updates.Batch;
import io.neli.sample.lab.web.Updates.Kind;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

/**
 * The server-sent events. Each page has the thread of its request for as long as it listens, so one that is slow holds up
 * nobody else; the server drops one that takes nothing any more ({@code server.tomcat.connection-timeout}).
 */
@RestController
final class EventStream {

    static final int PAGES = 16;

    private static final Duration KEEP_ALIVE = Duration.ofSeconds(4);

    private final Updates updates;
    private final Semaphore pages = new Semaphore(PAGES);

    EventStream(Updates updates) {
        this.updates = updates;
    }

    /** Without this one it would be the stream itself that answers, and never find out that nobody is there to hear it. */
    @RequestMapping(path = "/api/events", method = RequestMethod.HEAD)
    void head(HttpServletResponse response) {
        describe(response);
    }

    @GetMapping("/api/events")
    void events(HttpServletResponse response) throws IOException, InterruptedException {
        if (!pages.tryAcquire()) {
            throw refused();
        }
        try {
            describe(response);
            send(response, response.getWriter());
        } finally {
            pages.release();
        }
    }

    private static void describe(HttpServletResponse response) {
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        response.setCharacterEncoding(StandardCharsets.UTF_8.name());
        response.setHeader("Cache-Control", "no-store");
    }

    private void send(HttpServletResponse response, Writer writer) throws IOException, InterruptedException {
        writer.write("retry: 1000\n\n");
        response.flushBuffer();
        Batch batch = new Batch(0, Map.of(), false);
        while (!batch.last()) {
            batch = updates.await(batch.version(), KEEP_ALIVE);
            if (batch.changed().isEmpty()) {
                writer.write(": still here\n\n");
            }
            for (Map.Entry<Kind, String> event : batch.changed().entrySet()) {
                writer.write("event: " + event.getKey().word() + "\ndata: " + event.getValue() + "\n\n");
            }
            response.flushBuffer(); // throws when the page has gone
        }
    }

    private static ErrorResponseException refused() {
        ProblemDetail problem =
                Problems.of(HttpStatus.SERVICE_UNAVAILABLE, PAGES + " pages are listening already; close one of them");
        return new ErrorResponseException(HttpStatus.SERVICE_UNAVAILABLE, problem, null);
    }
}
