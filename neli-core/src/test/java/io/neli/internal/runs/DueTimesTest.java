package io.neli.internal.runs;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.Job;
import io.neli.Job.Guarantee;
import io.neli.NeliException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DueTimesTest {

    private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Job.Schedule RATE = new Job.FixedRate(HOUR, Duration.ofMinutes(5));
    private static final Job.Schedule DELAY = new Job.FixedDelay(HOUR, Duration.ofMinutes(5));

    private static DueTimes times(Job.Schedule schedule, Guarantee guarantee) {
        return new DueTimes(new Job("job", "role", schedule, guarantee, Runnable::run, run -> {}));
    }

    private static DueTimes times(Job.Schedule schedule) {
        return times(schedule, Guarantee.AT_LEAST_ONCE);
    }

    private static Instant at(int minutes) {
        return T0.plus(Duration.ofMinutes(minutes));
    }

    private static RunRecord record(Job.Schedule schedule, int due, @Nullable Integer begun, @Nullable Integer ended) {
        return new RunRecord(
                "job",
                at(due),
                begun == null ? null : at(begun),
                ended == null ? null : at(ended),
                true,
                schedule.text(),
                "member",
                1);
    }

    @Test
    void the_first_time_comes_after_the_initial_delay() {
        for (Job.Schedule schedule : new Job.Schedule[] {RATE, DELAY}) {
            RunRecord since = record(schedule, 0, null, null);
            assertThat(times(schedule).now(since, at(4))).isEmpty();
            assertThat(times(schedule).next(since)).contains(at(5));
            assertThat(times(schedule).now(since, at(5))).contains(at(5));
        }
    }

    @Test
    void a_time_has_to_come() {
        Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
        assertThatThrownBy(() -> new Job.FixedRate(forever, HOUR)).isInstanceOf(NeliException.class);
        assertThatThrownBy(() -> new Job.FixedRate(HOUR, forever)).isInstanceOf(NeliException.class);
        assertThatThrownBy(() -> new Job.FixedDelay(HOUR, forever))
                .isInstanceOf(NeliException.class)
                .hasMessageContaining("the initial delay of a job is 'PT2562047788015215H30M7S'");

        Job.Schedule once = new Job.FixedDelay(Duration.ofMillis(Long.MAX_VALUE), Duration.ofMillis(Long.MAX_VALUE));
        assertThat(times(once).now(record(once, 0, null, null), at(5))).isEmpty();
        assertThat(times(once).now(record(once, 0, 1, 2), at(5))).isEmpty();
    }

    @Test
    void a_rate_counts_from_due_times_and_only_the_last_of_several_is_made_up_for() {
        RunRecord late = record(RATE, 5, 50, 51);
        assertThat(times(RATE).now(late, at(64))).isEmpty();
        assertThat(times(RATE).now(late, at(65))).contains(at(65));
        assertThat(times(RATE).now(late, at(5 + 60 * 24 + 59))).contains(at(5 + 60 * 24));
    }

    @Test
    void a_delay_counts_from_the_end_or_from_a_begin_that_is_not_repeated() {
        assertThat(times(DELAY).next(record(DELAY, 5, 6, 20))).contains(at(80));
        assertThat(times(DELAY, Guarantee.AT_MOST_ONCE).next(record(DELAY, 5, 6, null)))
                .contains(at(66));
        assertThat(times(DELAY).now(record(DELAY, 5, 6, null), at(500))).contains(at(5));
        // The clock of the member that recorded the end is two hours slow.
        assertThat(times(DELAY).next(record(DELAY, 5, -121, -120))).contains(at(5).plusMillis(1));
    }

    @Test
    void what_did_not_end_is_repeated_unless_a_newer_time_has_come() {
        RunRecord begun = record(RATE, 5, 5, null);
        assertThat(times(RATE).now(begun, at(6))).contains(at(5));
        assertThat(times(RATE).now(begun, at(66))).contains(at(65));
        DueTimes most = times(RATE, Guarantee.AT_MOST_ONCE);
        assertThat(most.now(begun, at(6))).isEmpty();
        assertThat(most.now(begun, at(66))).contains(at(65));
        Job.Schedule changed = new Job.FixedRate(Duration.ofMinutes(1), HOUR);
        assertThat(times(changed).now(begun, at(66))).contains(at(5));
    }

    @Test
    void the_last_of_millions_of_times_is_found_at_once() {
        AtomicInteger asked = new AtomicInteger();
        Job.Schedule everySecond = new Job.Times("every second", time -> {
            asked.incrementAndGet();
            return time == null ? null : Instant.ofEpochSecond(time.getEpochSecond() + 1);
        });
        Instant now = at(60 * 24 * 365 * 10).plusMillis(123);
        assertThat(times(everySecond).now(record(everySecond, 0, 0, 0), now)).contains(now.minusMillis(123));
        assertThat(asked).hasValueLessThan(60);
    }

    @Test
    void a_schedule_may_have_no_more_times_or_name_one_that_is_over() {
        Job.Schedule never = new Job.Times("never", time -> null);
        assertThat(times(never).now(record(never, 0, 0, 0), at(9))).isEmpty();
        Job.Schedule stuck = new Job.Times("stuck", time -> time);
        assertThat(times(stuck).next(record(stuck, 0, 0, 0))).isEmpty();
        Job.Schedule once = new Job.Times("once", time -> time != null && time.isBefore(at(3)) ? at(3) : null);
        assertThat(times(once).now(record(once, 0, null, null), at(500))).contains(at(3));
    }
}
