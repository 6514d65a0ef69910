package io.neli.internal.runs;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.neli.Job;
import io.neli.Job.Guarantee;
import io.neli.NeliMetrics.RunKind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class JobTermTest {

    private static final Instant START = Instant.EPOCH;
    private static final Job.Schedule YEARLY = new Job.FixedRate(Duration.ofDays(365), Duration.ZERO);
    private static final Job JOB = new Job("job", "role", YEARLY, Guarantee.AT_MOST_ONCE, Runnable::run, run -> {});

    /** It is not reported again when the leader changes, until the job is next due. */
    @Test
    void a_run_that_is_abandoned_is_told_once() {
        Map<RunKey, RunRecord> records = new HashMap<>();
        records.put(
                new RunKey("job", 1, 0), new RunRecord("job", START, START, null, false, YEARLY.text(), "member", 1));

        List<RunAction> second = new JobTerm(JOB, "member", 2).read(records, START);
        assertThat(second).contains(new RunAction.Abandoned(START));
        second.forEach(action -> {
            if (action instanceof RunAction.Write write) {
                records.put(write.key(), write.record());
            }
        });
        assertThat(new JobTerm(JOB, "member", 3).read(records, START)).hasSize(1);
        records.remove(new RunKey("job", 1, 0));
        assertThat(new JobTerm(JOB, "member", 3).read(records, START)).hasSize(1);
    }

    @Test
    void a_run_is_abandoned_once_though_its_successor_is_recorded_only_at_the_second_attempt() {
        Job.Schedule secondly = new Job.FixedRate(Duration.ofSeconds(1), Duration.ZERO);
        Job job = new Job("job", "role", secondly, Guarantee.AT_LEAST_ONCE, Runnable::run, run -> {});
        RunRecord begun = new RunRecord("job", START, START, null, false, secondly.text(), "other", 1);
        Instant later = START.plusSeconds(5);
        JobTerm term = new JobTerm(job, "member", 2);
        term.read(Map.of(new RunKey("job", 1, 0), begun), later);

        assertThat(term.recorded(later)).contains(new RunAction.Abandoned(START));
        assertThat(term.notRecorded(later)).hasSize(1);
        assertThat(term.recorded(later)).containsExactly(new RunAction.Begin(later, RunKind.ON_TIME));
    }

    @Test
    void a_run_that_is_asked_for_begins_once_it_can_be_recorded() {
        Job.Schedule nextYear = new Job.FixedRate(Duration.ofDays(365), Duration.ofDays(365));
        Job job = new Job("job", "role", nextYear, Guarantee.AT_LEAST_ONCE, Runnable::run, run -> {});
        JobTerm term = new JobTerm(job, "member", 2);
        term.read(Map.of(), START);
        assertThat(term.runNow(START)).as("while the schedule is recorded").isEmpty();
        assertThat(term.recorded(START)).hasOnlyElementsOfType(RunAction.Write.class);
        assertThat(term.notRecorded(START)).hasOnlyElementsOfType(RunAction.Write.class);
        assertThat(term.recorded(START)).containsExactly(new RunAction.Begin(START.plusMillis(1), RunKind.ON_TIME));
        assertThat(term.runNow(START)).as("while it runs").isEmpty();
        term.ended(START, true);
        assertThat(term.recorded(START)).as("once").hasOnlyElementsOfType(RunAction.Wake.class);
    }

    /** As with {@code initialDelayString = "${random.int(60000)}"}. */
    @Test
    void a_leader_with_another_initial_delay_continues_the_schedule() {
        Job.Schedule here = new Job.FixedRate(Duration.ofHours(1), Duration.ofSeconds(7));
        Job.Schedule there = new Job.FixedRate(Duration.ofHours(1), Duration.ofSeconds(9));
        Job job = new Job("job", "role", here, Guarantee.AT_LEAST_ONCE, Runnable::run, run -> {});
        RunRecord ended = new RunRecord("job", START, START, START, true, there.text(), "other", 1);

        assertThat(new JobTerm(job, "member", 2).read(Map.of(new RunKey("job", 1, 0), ended), START.plusSeconds(8)))
                .as("counts from the last run, not from now")
                .containsExactly(new RunAction.Write(new RunKey("job", 2, 0), ended));
    }

    /** Of one that was frozen while it read: the next term has begun, and its records must stay. */
    @Test
    void a_former_leader_deletes_no_record_of_a_later_term() {
        RunKey earlier = new RunKey("job", 1, 0);
        RunKey later = new RunKey("job", 3, 0);
        RunRecord ended = new RunRecord("job", START, START, START, true, YEARLY.text(), "other", 3);

        JobTerm former = new JobTerm(JOB, "member", 2);
        former.over();
        former.read(Map.of(earlier, ended, later, ended), START);
        assertThat(former.recorded(START)).containsExactly(new RunAction.Forget(Set.of(earlier)));
    }
}
