package io.neli.spring.gate;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class CronTimesTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static Stream<Instant> times(String cron, String from) {
        return times(cron, from, BERLIN);
    }

    private static Stream<Instant> times(String cron, String from, ZoneId zone) {
        return Stream.iterate(Instant.parse(from), new CronTimes(cron, zone)).skip(1);
    }

    /** Expected times around the clock changes of 2027. In the last two zones, Spring's search misses some. */
    @ParameterizedTest
    @CsvSource({
        "*, 2027-03-27T12:00:00Z, Europe/Berlin",
        "*, 2027-10-30T12:00:00Z, Europe/Berlin",
        "0-23, 2027-10-30T12:00:00Z, Europe/Berlin",
        "0/1, 2027-03-27T12:00:00Z, Europe/Berlin",
        "*, 2027-04-03T03:00:00Z, Australia/Lord_Howe",
        "*, 2027-10-02T03:00:00Z, Australia/Lord_Howe",
        "*, 2027-04-03T03:05:00Z, Pacific/Chatham",
        "*, 2027-09-25T03:05:00Z, Pacific/Chatham"
    })
    void a_job_of_every_hour_goes_by_the_time_that_passes(String hours, String from, ZoneId zone) {
        assertThat(times("0 0/10 " + hours + " * * *", from, zone).limit(200))
                .isEqualTo(
                        Stream.iterate(Instant.parse(from).plusSeconds(600), time -> time.plus(Duration.ofMinutes(10)))
                                .limit(200)
                                .toList());
    }

    @Test
    void a_time_that_does_not_exist_comes_later_and_one_that_comes_twice_comes_once() {
        assertThat(times("0 30 2 * * *", "2027-03-27T12:00:00Z").limit(2))
                .extracting(time -> time.atZone(BERLIN).toLocalTime())
                .containsExactly(LocalTime.of(3, 30), LocalTime.of(2, 30));
        assertThat(times("0 30 2 * * *", "2027-10-30T12:00:00Z").limit(2))
                .containsExactly(Instant.parse("2027-10-31T00:30:00Z"), Instant.parse("2027-11-01T01:30:00Z"));
    }

    /** The next time must not depend on where the search starts: DueTimes finds the latest of many by halving. */
    @Test
    void a_time_that_is_still_to_come_is_found_also_from_after_the_gap() {
        assertThat(times("0 30 2 * * *", "2027-03-28T01:10:00Z").findFirst())
                .contains(Instant.parse("2027-03-28T01:30:00Z"));
        assertThat(times("0 30 2 * * *", "2027-10-31T01:10:00Z").findFirst())
                .contains(Instant.parse("2027-11-01T01:30:00Z"));
    }

    /** For this change Spring returns the same time again as the next one. */
    @Test
    void a_change_of_half_an_hour_does_not_end_a_job_of_every_hour() {
        CronTimes times = new CronTimes("0 0 * * * *", ZoneId.of("Australia/Lord_Howe"));
        assertThat(times.apply(Instant.parse("2028-04-01T14:00:00Z"))).isEqualTo("2028-04-01T15:30:00Z");
    }
}
