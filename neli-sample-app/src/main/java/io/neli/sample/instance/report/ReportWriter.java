package io.neli.sample.instance.report;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes reports on a thread of its own, and a snapshot whenever one is due and nothing else is to be told. Whoever reports
 * never waits: where nobody reads the output, the thread stands still and reports pile up, to a limit.
 */
final class ReportWriter {

    static final int LIMIT = 10_000;

    private static final Logger log = LoggerFactory.getLogger(ReportWriter.class);

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final BlockingQueue<Report> reports = new LinkedBlockingQueue<>(LIMIT);
    private final Thread thread = new Thread(this::run, "reports");
    private final OutputStream out;
    private final JsonMapper json;
    private final Supplier<? extends Report> snapshots;
    private final long intervalNanos;
    private volatile boolean closing;

    /**
     * A writer that is not yet started.
     *
     * @param out is not closed
     * @param snapshots asked by the writer's thread
     */
    ReportWriter(OutputStream out, JsonMapper json, Supplier<? extends Report> snapshots, Duration interval) {
        this.out = out;
        this.json = json;
        this.snapshots = snapshots;
        this.intervalNanos = interval.toNanos();
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** From any thread; never waits. */
    void report(Report report) {
        if (!reports.offer(report)) {
            log.warn("Nobody reads the reports, and {} are waiting: dropped {}", LIMIT, report);
        }
    }

    private void run() {
        try {
            long due = System.nanoTime();
            while (!closing) {
                Report report = reports.poll(due - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (report == null) {
                    report = snapshots.get();
                    due = System.nanoTime() + intervalNanos;
                }
                write(report);
            }
            writeRest();
        } catch (IOException e) {
            log.info("The reader of the reports has gone"); // and the standard input ends with it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeRest() throws IOException {
        for (@Nullable Report report = reports.poll(); report != null; report = reports.poll()) {
            write(report);
        }
        write(snapshots.get());
    }

    /** In one piece, so that a line of a killed process is there in full or not at all. */
    private void write(Report report) throws IOException {
        out.write((json.writeValueAsString(report) + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** Returns when all is written, at the latest after a second. */
    void close() throws InterruptedException {
        closing = true;
        thread.join(CLOSE_LIMIT.toMillis());
    }
}
