package io.neli.internal.runs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.neli.Job;
import io.neli.Job.Guarantee;
import io.neli.NeliMetrics.RunKind;
import io.neli.NeliMetrics.RunOutcome;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class JobTermTest {

    private static final Instant START = Instant.EPOCH;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Job.Schedule HOURLY = new Job.FixedRate(HOUR, Duration.ofSeconds(7));
    private static final RunRecord BEGUN = new RunRecord("job", START, START, null, false, HOURLY.text(), "other", 1);
    private static final RunRecord ENDED = BEGUN.ended(START, true);
    private static final RunKey FIRST = new RunKey("job", 1, 0);
    private static final RunKey SECOND = new RunKey("job", 2, 0);

    private static JobTerm term(Job.Schedule schedule, Guarantee guarantee, long token) {
        return new JobTerm(new Job("job", "role", schedule, guarantee, Runnable::run, run -> {}), "member", token);
    }

    private static JobTerm term(Job.Schedule schedule) {
        return term(schedule, Guarantee.AT_LEAST_ONCE, 2);
    }

    /** It is not reported again when the leader changes, until the job is next due. */
    @Test
    void a_run_that_is_abandoned_is_told_once() {
        assertThat(term(HOURLY, Guarantee.AT_MOST_ONCE, 2).read(Map.of(FIRST, BEGUN), START))
                .containsExactly(new RunAction.Abandoned(START), new RunAction.Write(SECOND, BEGUN));
        for (Map<RunKey, RunRecord> records : List.of(Map.of(FIRST, BEGUN, SECOND, BEGUN), Map.of(SECOND, BEGUN))) {
            assertThat(term(HOURLY, Guarantee.AT_MOST_ONCE, 3).read(records, START))
                    .hasSize(1);
        }
    }

    @Test
    void a_run_is_abandoned_once_though_its_successor_is_recorded_only_at_the_second_attempt() {
        Instant later = START.plus(HOUR.multipliedBy(5));
        JobTerm term = term(HOURLY);
        term.read(Map.of(FIRST, BEGUN), later);

        assertThat(term.recorded(later)).contains(new RunAction.Abandoned(START));
        assertThat(term.notRecorded(later)).hasSize(1);
        assertThat(term.recorded(later)).containsExactly(new RunAction.Begin(later, RunKind.ON_TIME));
    }

    @Test
    void a_run_that_is_asked_for_begins_once_it_can_be_recorded() {
        JobTerm term = term(HOURLY);
        term.read(Map.of(), START);
        assertThat(term.runNow(START)).as("while the schedule is recorded").isEmpty();
        assertThat(term.recorded(START)).hasOnlyElementsOfType(RunAction.Write.class);
        assertThat(term.notRecorded(START)).hasOnlyElementsOfType(RunAction.Write.class);
        assertThat(term.recorded(START)).containsExactly(new RunAction.Begin(START.plusMillis(1), RunKind.ON_TIME));
        assertThat(term.runNow(START)).as("while it runs").isEmpty();
        term.ended(START, RunOutcome.FAILED);
        assertThat(term.recorded(START)).as("once").hasOnlyElementsOfType(RunAction.Wake.class);
    }

    /** As with {@code initialDelayString = "${random.int(60000)}"}. */
    @Test
    void a_leader_with_another_initial_delay_continues_the_schedule() {
        JobTerm term = term(new Job.FixedRate(HOUR, Duration.ofSeconds(9)));
        assertThat(term.read(Map.of(FIRST, ENDED), START.plusSeconds(8)))
                .as("counts from the last run, not from now")
                .containsExactly(new RunAction.Write(SECOND, ENDED));
    }

    @Test
    void an_interrupted_run_is_repeated_by_its_old_schedule_and_then_the_job_starts_over_with_the_new_one() {
        Job.Schedule changed = new Job.FixedRate(Duration.ofMinutes(1), Duration.ofMinutes(9));
        Instant seen = START.plus(HOUR);
        Instant end = seen.plus(HOUR);
        JobTerm term = term(changed);
        term.read(Map.of(FIRST, BEGUN), seen);
        RunRecord again = new RunRecord("job", START, seen, null, false, HOURLY.text(), "member", 2);
        assertThat(term.recorded(seen)).containsExactly(new RunAction.Write(SECOND, again));
        assertThat(term.next()).contains(START);
        assertThat(term.recorded(seen)).containsExactly(new RunAction.Begin(START, RunKind.REPEATED));
        assertThat(term.next()).as("not known before the end").isEmpty();

        assertThat(term.ended(end, RunOutcome.SUCCEEDED))
                .containsExactly(new RunAction.Write(SECOND, again.ended(end, true)));
        RunRecord since = new RunRecord("job", seen, null, null, false, changed.text(), "member", 2);
        assertThat(term.recorded(end)).containsExactly(new RunAction.Write(SECOND, since));
        assertThat(term.next()).isEmpty();
        assertThat(term.runNow(end)).isEmpty();
        assertThat(term.recorded(end)).contains(new RunAction.Forget(Set.of(FIRST)));
        assertThat(term.recorded(end)).containsExactly(new RunAction.Begin(end, RunKind.ON_TIME));
    }

    /** Of one that was frozen while it read: the next term has begun, and its records must stay. */
    @Test
    void a_former_leader_deletes_no_record_of_a_later_term() {
        JobTerm former = term(HOURLY);
        former.over();
        former.read(Map.of(FIRST, ENDED, new RunKey("job", 3, 0), ENDED), START);
        assertThat(former.recorded(START)).containsExactly(new RunAction.Forget(Set.of(FIRST)));
    }

    /** Of one that was frozen before it wrote, and whose release has another schedule. */
    @Test
    void a_former_leader_hides_no_run_of_a_later_term() {
        RunRecord late = new RunRecord("job", START.plusSeconds(1), null, null, false, "another", "former", 0);
        assertThat(term(HOURLY).read(Map.of(new RunKey("job", 0, 0), late, FIRST, BEGUN), START))
                .containsExactly(new RunAction.Write(SECOND, BEGUN));
    }
}
