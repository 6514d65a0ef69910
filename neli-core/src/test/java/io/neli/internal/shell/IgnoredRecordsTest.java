package io.neli.internal.shell;

import java.util.List;

import io.neli.internal.election.IgnoredRecord;
import io.neli.internal.election.LogId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class IgnoredRecordsTest {

    @Test
    void each_kind_is_counted_under_the_name_in_the_runbook() {
        IgnoredRecords ignored = new IgnoredRecords(ShellTests.SETTINGS);
        for (IgnoredRecord kind : IgnoredRecord.values()) {
            ignored.count(kind, new LogId(0, 0));
        }
        ignored.count(IgnoredRecord.MALFORMED, new LogId(0, 0));

        assertThat(ignored.counts().keySet())
                .hasSameElementsAs(List.of(
                        "foreign-key",
                        "other-log",
                        "not-neli",
                        "newer-version",
                        "malformed",
                        "stale-heartbeat",
                        "future-heartbeat",
                        "false-heartbeat",
                        "stale-resign",
                        "stale-bid"));
        assertThat(ignored.counts()).containsEntry("malformed", 2L).containsEntry("stale-bid", 1L);
    }
}
