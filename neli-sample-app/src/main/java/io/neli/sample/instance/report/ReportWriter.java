package io.neli.sample.instance.report;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

import io.neli.Neli;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import tools.jackson.databind.json.JsonMapper;

/** Writes reports, and a snapshot several times a second. */
class ReportWriter {

    private static final Logger log = LoggerFactory.getLogger(ReportWriter.class);

    private final OutputStream out;
    private final JsonMapper json;
    private final Neli neli;

    ReportWriter(OutputStream out, JsonMapper json, Neli neli) {
        this.out = out;
        this.json = json;
        this.neli = neli;
    }

    @Scheduled(fixedDelay = 100)
    void reportSnapshot() {
        report(Report.Snapshot.of(neli.snapshot()));
    }

    /** In one piece, so that each line of a killed process is complete or missing. */
    synchronized void report(Report report) {
        try {
            out.write((json.writeValueAsString(report) + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            log.debug("The lab has ended", e); // and so does this instance, with its standard input
        }
    }
}
