package io.neli.internal.runs;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

import io.neli.Job;
import io.neli.Job.FixedDelay;
import io.neli.Job.FixedRate;
import io.neli.Job.Guarantee;
import io.neli.Job.Times;
import io.neli.internal.runs.RunRecord.Phase;

/** The due times of one job. They follow from the record of its last run, whichever member made it. */
record DueTimes(Job job) {

    /** When the run is due that must begin now, if any. Call this only while no run is in progress. */
    Optional<Instant> now(RunRecord last, Instant now) {
        boolean open = mustRepeat(last);
        if (open && job.schedule() instanceof FixedDelay) { // the delay counts from the end, which is still to come
            return Optional.of(last.due());
        }
        Optional<Instant> newest = latest(last, now);
        return newest.isEmpty() && open ? Optional.of(last.due()) : newest;
    }

    /** Whether the recorded run is not known to have ended and has to be repeated. */
    boolean mustRepeat(RunRecord last) {
        return last.phase() == Phase.BEGUN && job.guarantee() == Guarantee.AT_LEAST_ONCE;
    }

    /** Whether the record says when this schedule is due. Another one's does not: the job starts over. */
    boolean isOfSchedule(RunRecord last) {
        return last.schedule().equals(job.schedule().text());
    }

    /** The first due time after the recorded one; empty if the schedule has no more, or the record is of another. */
    Optional<Instant> next(RunRecord last) {
        if (!isOfSchedule(last)) {
            return Optional.empty();
        }
        if (job.schedule() instanceof Times times) {
            return after(times, last.due());
        }
        boolean first = last.phase() == Phase.SINCE;
        if (job.schedule() instanceof FixedRate rate) {
            return Optional.of(last.due().plus(first ? rate.initialDelay() : rate.rate()));
        }
        FixedDelay delay = (FixedDelay) job.schedule();
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
        boolean delayed = job.schedule() instanceof FixedDelay && last.phase() != Phase.SINCE;
        return delayed && from(last).isAfter(last.due()) ? from(last) : last.due();
    }

    /** The latest due time since the recorded one, up to now. If there are several, only this one is made up for. */
    private Optional<Instant> latest(RunRecord last, Instant now) {
        Optional<Instant> first = next(last).filter(next -> !next.isAfter(now));
        if (first.isEmpty() || job.schedule() instanceof FixedDelay) {
            return first;
        }
        if (job.schedule() instanceof FixedRate rate) {
            long missed = Duration.between(first.get(), now).dividedBy(rate.rate());
            return first.map(at -> at.plus(rate.rate().multipliedBy(missed)));
        }
        return Optional.of(latest((Times) job.schedule(), first.get(), now));
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
