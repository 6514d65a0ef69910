package io.neli.sample.lab.history;

import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

import io.neli.sample.instance.report.Report;
import io.neli.sample.lab.history.RunsView.Phase;
import io.neli.sample.lab.history.RunsView.Run;
import org.jspecify.annotations.Nullable;

/**
 * The runs of the scheduled job. A time is judged when the run of a later one has ended. The judgement depends on what
 * the instances reported, not on durations, so a slow machine does not change it.
 */
final class Runs {

    /** The milliseconds between two due times: the job is due at every multiple of this. */
    static final long STEP = 5000;

    private static final int KEPT = 20;

    private final Availability availability;
    private final NavigableMap<Long, Run> latest = new TreeMap<>();

    /** The due times after which the leader of the latest term waited for the next one. */
    private final Set<Long> attended = new HashSet<>();

    private long term;

    /** The first due time that is not judged yet; null before the first run. */
    private @Nullable Long open;

    private long missed;
    private long repeated;
    private long merged;

    Runs(Availability availability) {
        this.availability = availability;
    }

    void apply(Report.Run run, String instance) {
        if (run.ended()) {
            ended(run, instance);
        } else {
            begun(run, instance);
        }
    }

    private void begun(Report.Run begun, String instance) {
        Run former = latest.get(begun.due());
        if (former != null && former.token() > begun.token()) {
            return; // observed late
        }
        reached(begun.token());
        open = open == null ? begun.due() : open;
        boolean again = former != null && !former.instance().isEmpty();
        boolean wrong = former != null && (former.phase() == Phase.RECORDED || former.phase() == Phase.REPEATED);
        repeated += wrong ? 1 : 0;
        put(new Run(begun.due(), instance, begun.token(), wrong ? Phase.REPEATED : Phase.BEGUN, again));
    }

    /** The end of a frozen former leader's run may come after that of the repetition, or instead of it. */
    private void ended(Report.Run ended, String instance) {
        Run run = latest.get(ended.due());
        if (run != null && !run.phase().hasEnded()) {
            put(new Run(ended.due(), instance, ended.token(), Phase.ENDED, run.again()));
        }
        if (ended.token() == term) {
            judgeBefore(ended.due());
        }
    }

    void apply(Report.Waiting waiting) {
        reached(waiting.token());
        if (waiting.token() == term) {
            attended.add(waiting.time() - Math.floorMod(waiting.time(), STEP));
        }
        Run run = waiting.recorded() == null ? null : latest.get(waiting.recorded());
        if (run != null && run.phase() == Phase.ENDED) {
            put(run.in(Phase.RECORDED));
        }
    }

    private void reached(long token) {
        if (token > term) {
            term = token;
            attended.clear();
        }
    }

    /**
     * Judges earlier due times. If a term skips one and runs a later one, it has missed the first, provided that it
     * could record the run.
     */
    private void judgeBefore(long due) {
        for (long time = open == null ? due : open; time < due; time += STEP) {
            Run run = latest.get(time);
            if (run != null && run.phase().hasEnded()) {
                continue;
            }
            boolean wrong = attended.contains(time) && !availability.aBrokerFailedSince(time - STEP);
            missed += wrong ? 1 : 0;
            merged += wrong ? 0 : 1;
            Run none = run == null ? new Run(time, "", 0, Phase.MISSED, false) : run;
            put(none.in(wrong ? Phase.MISSED : Phase.MERGED));
        }
        open = open == null ? due : Math.max(open, due);
        attended.removeIf(time -> time < due);
    }

    private void put(Run run) {
        latest.put(run.due(), run);
        if (latest.size() > KEPT) {
            latest.pollFirstEntry();
        }
    }

    RunsView view() {
        return new RunsView(List.copyOf(latest.values()), missed, repeated, merged);
    }
}
