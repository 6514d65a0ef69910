package io.neli.internal.runs;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

import io.neli.Job;
import io.neli.Job.FixedDelay;
import io.neli.Job.FixedRate;
import io.neli.Job.Guarantee;
import io.neli.Job.Schedule;
import io.neli.Job.Times;
import io.neli.internal.runs.RunRecord.Phase;

/**
 * The due times of one job. The group shares one schedule: times follow from the record of the last run, whichever
 * member made it.
 */
final class DueTimes {

    private final Schedule schedule;
    private final Guarantee guarantee;

    DueTimes(Job job) {
        this.schedule = job.schedule();
        this.guarantee = job.guarantee();
    }

    /**
     * A run that is due.
     *
     * @param repeated whether a run for that time was begun and is not known to have ended
     * @param abandons whether an earlier run was begun and will not be repeated, because a newer time has come
     */
    record Due(Instant at, boolean repeated, boolean abandons) {}

    /** The run that is due now, if any. Call this only while no run is in progress. */
    Optional<Due> now(RunRecord last, Instant now) {
        boolean open = mustRepeat(last);
        if (open && schedule instanceof FixedDelay) { // the delay counts from the end, which is still to come
            return Optional.of(new Due(last.due(), true, false));
        }
        Optional<Due> newest = latest(last, now).map(at -> new Due(at, false, open));
        return newest.isEmpty() && open ? Optional.of(new Due(last.due(), true, false)) : newest;
    }

    /** Whether the recorded run is not known to have ended and has to be repeated. */
    boolean mustRepeat(RunRecord last) {
        return last.phase() == Phase.BEGUN && guarantee == Guarantee.AT_LEAST_ONCE;
    }

    /** Whether the record says when this schedule is due. Another one's does not: the job starts over. */
    boolean isOfSchedule(RunRecord last) {
        return last.schedule().equals(schedule.text());
    }

    /** The first due time after the recorded one; empty if the schedule has no more, or the record is of another. */
    Optional<Instant> next(RunRecord last) {
        if (!isOfSchedule(last)) {
            return Optional.empty();
        }
        if (schedule instanceof Times times) {
            return after(times, last.due());
        }
        boolean first = last.phase() == Phase.SINCE;
        if (schedule instanceof FixedRate rate) {
            return Optional.of(last.due().plus(first ? rate.initialDelay() : rate.rate()));
        }
        FixedDelay delay = (FixedDelay) schedule;
        if (first) {
            return Optional.of(last.due().plus(delay.initialDelay()));
        }
        return Optional.of(afterDue(last, from(last).plus(delay.delay())));
    }

    /** That time or, if it is not later than the recorded due time because clocks differ, the time just after that. */
    static Instant afterDue(RunRecord last, Instant time) {
        Instant earliest = last.due().plusMillis(1);
        return time.isBefore(earliest) ? earliest : time;
    }

    private static Instant from(RunRecord last) {
        return last.ended() != null ? last.ended() : Objects.requireNonNull(last.begun());
    }

    /** No run is due earlier: a delay counts from the end of the last run, other schedules from its due time. */
    Instant notBefore(RunRecord last) {
        boolean delayed = schedule instanceof FixedDelay && last.phase() != Phase.SINCE;
        return delayed && from(last).isAfter(last.due()) ? from(last) : last.due();
    }

    /** The latest due time since the recorded one, up to now. If there are several, only this one is made up for. */
    private Optional<Instant> latest(RunRecord last, Instant now) {
        Optional<Instant> first = next(last).filter(next -> !next.isAfter(now));
        if (first.isEmpty() || schedule instanceof FixedDelay) {
            return first;
        }
        if (schedule instanceof FixedRate rate) {
            long missed = Duration.between(first.get(), now).dividedBy(rate.rate());
            return first.map(at -> at.plus(rate.rate().multipliedBy(missed)));
        }
        return Optional.of(latest((Times) schedule, first.get(), now));
    }

    /** A binary search, because there may be millions of due times. */
    private static Instant latest(Times times, Instant first, Instant now) {
        long come = first.toEpochMilli();
        long notCome = now.toEpochMilli(); // any time after this one is in the future
        Instant latest = first;
        while (come < notCome) {
            long middle = come + (notCome - come) / 2;
            Optional<Instant> next = after(times, Instant.ofEpochMilli(middle)).filter(at -> !at.isAfter(now));
            if (next.isPresent()) {
                latest = next.get();
                come = Math.max(middle + 1, latest.toEpochMilli());
            } else {
                notCome = middle;
            }
        }
        return latest;
    }

    private static Optional<Instant> after(Times times, Instant time) {
        return Optional.ofNullable(times.next().apply(time)).filter(next -> next.isAfter(time));
    }
}
