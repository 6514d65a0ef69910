package io.neli.sample.instance.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

import io.neli.FakeNeli;
import io.neli.sample.instance.report.Report.Kind;
import io.neli.sample.instance.report.Report.Outcome;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

class ReportWriterTest {

    @Test
    void each_report_is_one_line_of_json_that_can_be_read_back() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (FakeNeli neli = FakeNeli.builder().roles("ledger").start()) {
            ReportWriter writer = new ReportWriter(out, new JsonMapper(), neli);
            writer.report(new Report.Event(Kind.REVOKED, 17, "CLOSING"));
            writer.report(new Report.Write(Outcome.COMMITTED, 17, 42, null));
            writer.reportSnapshot();
        }

        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .hasSize(3)
                .contains(
                        "{\"type\":\"event\",\"event\":\"REVOKED\",\"token\":17,\"reason\":\"CLOSING\"}",
                        "{\"type\":\"write\",\"outcome\":\"COMMITTED\",\"token\":17,\"number\":42,\"reason\":null}")
                .map(line -> new JsonMapper().readValue(line, Report.class))
                .last()
                .isInstanceOfSatisfying(Report.Snapshot.class, snapshot -> assertThat(snapshot.state())
                        .isEqualTo("STANDBY"));
    }

    @Test
    void a_lab_that_has_ended_does_no_harm() {
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("broken pipe");
            }
        };
        try (FakeNeli neli = FakeNeli.builder().roles("ledger").start()) {
            ReportWriter writer = new ReportWriter(broken, new JsonMapper(), neli);

            assertThatCode(writer::reportSnapshot).doesNotThrowAnyException();
        }
    }
}
