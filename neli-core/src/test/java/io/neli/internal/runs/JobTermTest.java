package io.neli.internal.runs;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.neli.Job;
import io.neli.Job.Guarantee;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class JobTermTest {

    private static final Instant START = Instant.EPOCH;

    /** And not again whenever the leader changes, until the job is due next. */
    @Test
    void a_run_that_is_abandoned_is_told_once() {
        Job.Schedule yearly = new Job.FixedRate(Duration.ofDays(365), Duration.ZERO);
        Job job = new Job("job", "role", yearly, Guarantee.AT_MOST_ONCE, Runnable::run, run -> {});
        Map<RunKey, RunRecord> records = new HashMap<>();
        records.put(
                new RunKey("job", 1, 0), new RunRecord("job", START, START, null, false, yearly.text(), "member", 1));

        List<RunAction> second = new JobTerm(job, "member", 2).read(records, START);
        assertThat(second).contains(new RunAction.Abandoned(START));
        second.forEach(action -> {
            if (action instanceof RunAction.Write write) {
                records.put(write.key(), write.record());
            }
        });
        assertThat(new JobTerm(job, "member", 3).read(records, START)).hasSize(1);
        records.remove(new RunKey("job", 1, 0));
        assertThat(new JobTerm(job, "member", 3).read(records, START)).hasSize(1);
    }
}
