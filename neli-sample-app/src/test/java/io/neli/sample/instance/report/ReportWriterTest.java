package io.neli.sample.instance.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import io.neli.NeliSnapshot.Status;
import io.neli.sample.instance.report.Report.Write.Phase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Timeout(30)
class ReportWriterTest {

    private static final Report SNAPSHOT = new Report.Snapshot(
            Status.RUNNING,
            null,
            true,
            false,
            List.of(new Report.Partition(0, List.of("ledger"), "LEADING", "alice", 17L, 2400)));

    private final GatedOutput out = new GatedOutput();

    @Test
    void each_report_is_one_line_of_json() throws Exception {
        ReportWriter writer = writer(Duration.ofMillis(1));
        writer.report(new Report.Event("REVOKED", "ledger", 17, "CLOSING"));
        writer.report(new Report.Write(Phase.BEGUN, 17, 42, null));
        out.open();
        writer.start();
        writer.close();

        assertThat(lines().stream().distinct())
                .containsExactly(
                        "{\"type\":\"event\",\"event\":\"REVOKED\",\"role\":\"ledger\",\"token\":17,\"reason\":\"CLOSING\"}",
                        "{\"type\":\"write\",\"phase\":\"BEGUN\",\"token\":17,\"number\":42,\"reason\":null}",
                        "{\"type\":\"snapshot\",\"status\":\"RUNNING\",\"problem\":null,\"standing\":true,"
                                + "\"paused\":false,\"partitions\":[{\"partition\":0,\"roles\":[\"ledger\"],"
                                + "\"state\":\"LEADING\",\"leader\":\"alice\",\"token\":17,\"leaseLeft\":2400}]}");
    }

    @Test
    void snapshots_come_by_themselves() throws Exception {
        out.open();
        ReportWriter writer = writer(Duration.ofMillis(1));
        writer.start();

        await().until(() -> lines().size() > 10);

        writer.close();
    }

    @Test
    void nobody_waits_for_a_reader_that_hangs_and_it_misses_nothing_when_it_goes_on() throws Exception {
        ReportWriter writer = writer(Duration.ofMillis(1));
        writer.start();
        out.awaitBlocked();

        IntStream.range(0, 1000).forEach(number -> writer.report(write(number)));

        out.open();
        await().until(() -> writes() == 1000);
        assertThat(numbers()).isSorted();
        writer.close();
    }

    @Test
    void what_waits_for_a_reader_is_limited_and_so_is_the_wait_at_the_end() throws Exception {
        ReportWriter writer = writer(Duration.ofMillis(1));
        writer.start();
        out.awaitBlocked();

        IntStream.range(0, ReportWriter.LIMIT + 10).forEach(number -> writer.report(write(number)));
        writer.close();

        out.open();
        await().until(() -> writes() == ReportWriter.LIMIT);
    }

    private ReportWriter writer(Duration interval) {
        return new ReportWriter(out, new JsonMapper(), () -> SNAPSHOT, interval);
    }

    private static Report write(int number) {
        return new Report.Write(Phase.BEGUN, 17, number, null);
    }

    private List<String> lines() {
        return out.text().lines().toList();
    }

    private long writes() {
        return lines().stream().filter(line -> line.contains("\"write\"")).count();
    }

    private List<Integer> numbers() {
        JsonMapper json = new JsonMapper();
        return lines().stream()
                .map(json::readTree)
                .filter(line -> line.has("number"))
                .map(line -> line.get("number").asInt())
                .toList();
    }

    /** A pipe that is full until somebody reads. */
    private static final class GatedOutput extends OutputStream {

        private final ByteArrayOutputStream written = new ByteArrayOutputStream();
        private final CountDownLatch blocked = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);

        @Override
        public void write(int b) {
            throw new UnsupportedOperationException("lines are written in one piece");
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            blocked.countDown();
            try {
                open.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            written.write(bytes);
        }

        void awaitBlocked() throws InterruptedException {
            blocked.await();
        }

        void open() {
            open.countDown();
        }

        String text() {
            return written.toString(StandardCharsets.UTF_8);
        }
    }
}
