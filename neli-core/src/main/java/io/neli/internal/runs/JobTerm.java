package io.neli.internal.runs;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import io.neli.Job;
import io.neli.Job.Guarantee;
import io.neli.NeliMetrics.RunKind;
import io.neli.NeliMetrics.RunOutcome;
import io.neli.internal.runs.RunRecord.Phase;
import org.jspecify.annotations.Nullable;

/**
 * One job in one term of this member. A leader records a run as begun before it begins, and the next leader reads the
 * records only once it leads: so it sees every run that was begun. Used by one thread. {@code docs/schedules.md} says
 * what these rules promise.
 */
public final class JobTerm {

    private enum Step {
        READING,
        COPYING,
        WAITING,
        BEGINNING,
        RUNNING,
        ENDING
    }

    private final Job job;
    private final DueTimes times;
    private final String member;
    private final long token;
    private Step step = Step.READING;
    private boolean over;
    /** Whether a run was asked for, and none has ended since. */
    private boolean wanted;

    /** In the keys of this term. It grows with each write that may have failed, whose record may appear late. */
    private int attempt;
    /** The keys of former terms' records, which this term deletes once it has replaced them. */
    private Set<RunKey> formerKeys = Set.of();
    /** When the run was due that had begun and not ended according to these records; empty if none. */
    private Optional<Instant> unended = Optional.empty();
    /** When this term read them. */
    private Instant readAt = Instant.MIN;
    /** The last record that this term has written; null before the first. */
    private @Nullable RunRecord last;
    /** What was recorded before the latest run. It is written again if that run does not begin. */
    private @Nullable RunRecord beforeRun;
    /** The record that is being written, or was written last. */
    private @Nullable RunRecord pending;
    /** The latest run of this term; null before the first. */
    private RunAction.@Nullable Begin begin;
    /** When the run was due that this term has last reported as abandoned; null if none. */
    private @Nullable Instant abandoned;

    public JobTerm(Job job, String member, long token) {
        this.job = job;
        this.times = new DueTimes(job);
        this.member = member;
        this.token = token;
    }

    /** All records of the job that were written before the term began have been read. */
    public List<RunAction> read(Map<RunKey, RunRecord> records, Instant now) {
        Optional<RunRecord> newest = RunRecord.newest(records);
        // A leader that was frozen in between may read what a later term writes, which is not its to delete.
        formerKeys =
                records.keySet().stream().filter(key -> key.token() < token).collect(Collectors.toSet());
        attempt = records.keySet().stream()
                .filter(key -> key.token() == token)
                .mapToInt(key -> key.attempt() + 1)
                .max()
                .orElse(0);
        readAt = now;
        unended = newest.filter(known -> known.phase() == Phase.BEGUN).map(RunRecord::due);
        List<RunAction> actions = new ArrayList<>();
        newest.filter(known -> known.phase() == Phase.BEGUN && job.guarantee() == Guarantee.AT_MOST_ONCE)
                .filter(known -> !isCopied(known, records))
                .ifPresent(known -> actions.add(new RunAction.Abandoned(known.due())));
        // Written even if nothing has changed, so that the records of other terms can be deleted.
        pending = newest.filter(this::counts).orElseGet(() -> since(newest));
        step = Step.COPYING;
        actions.add(write());
        return actions;
    }

    /** Whether another term has reported the run as abandoned: it has then copied the record under a key of its own. */
    private static boolean isCopied(RunRecord known, Map<RunKey, RunRecord> records) {
        return records.entrySet().stream()
                .anyMatch(entry ->
                        entry.getValue().equals(known) && entry.getKey().token() != known.token());
    }

    /** Whether the record still says when the job is due: it is of this schedule, or its run must be repeated. */
    private boolean counts(RunRecord known) {
        return times.isOfSchedule(known) || times.mustRepeat(known);
    }

    /** A record of when the schedule was first seen. Without it, a first run due while nobody leads would be missed. */
    private RunRecord since(Optional<RunRecord> other) {
        Instant since = other.map(known -> DueTimes.afterDue(known, readAt)).orElse(readAt);
        return new RunRecord(
                job.name(), since, null, null, false, job.schedule().text(), member, token);
    }

    /** The record is written, and every later reader sees it. */
    public List<RunAction> recorded(Instant now) {
        RunRecord recorded = Objects.requireNonNull(pending);
        last = recorded;
        List<RunAction> actions = new ArrayList<>();
        // Not for a run recorded as begun: if it does not begin, the former records are needed.
        if (step != Step.BEGINNING
                && !formerKeys.isEmpty()
                && unended.stream().noneMatch(due -> due.equals(recorded.due()))) {
            actions.add(new RunAction.Forget(formerKeys));
            formerKeys = Set.of();
        }
        if (step == Step.BEGINNING && begin != null) {
            step = Step.RUNNING;
            actions.add(begin);
        } else {
            step = Step.WAITING;
            actions.addAll(tick(now));
        }
        return actions;
    }

    /** The record was not written, or may not have been. */
    public List<RunAction> notRecorded(Instant now) {
        attempt++;
        if (step == Step.BEGINNING || (over && step == Step.COPYING)) {
            step = Step.WAITING;
            return tick(now);
        }
        return List.of(write());
    }

    /** The term is over, or about to be: no run begins. The end of a run that has begun is still recorded. */
    public void over() {
        over = true;
    }

    /** Begins a run if one is due, and otherwise says when the next one is. */
    public List<RunAction> tick(Instant now) {
        if (over || step != Step.WAITING || last == null) {
            return List.of();
        }
        if (!counts(last)) { // its repetition has ended: the job starts over with its new schedule
            pending = since(last());
            step = Step.COPYING;
            return List.of(write());
        }
        Optional<Instant> dueNow = times.now(last, now);
        if (dueNow.isEmpty() && wanted) {
            dueNow = Optional.of(DueTimes.afterDue(last, now));
        }
        return dueNow.isPresent()
                ? begin(dueNow.get(), now)
                : times.next(last).stream().<RunAction>map(RunAction.Wake::new).toList();
    }

    /** Begins a run as soon as it can be recorded, even if none is due, unless one is in progress. */
    public List<RunAction> runNow(Instant now) {
        wanted |= !isRunning();
        return tick(now);
    }

    private List<RunAction> begin(Instant due, Instant now) {
        RunRecord known = Objects.requireNonNull(last);
        boolean open = times.mustRepeat(known);
        boolean repeats = open && due.equals(known.due()); // not if a newer time has come
        List<RunAction> actions = new ArrayList<>();
        if (open && !repeats && !known.due().equals(abandoned)) { // told before, if this is tried again
            abandoned = known.due();
            actions.add(new RunAction.Abandoned(abandoned));
        }
        RunKind notRepeated = due.isBefore(readAt) ? RunKind.MADE_UP : RunKind.ON_TIME;
        begin = new RunAction.Begin(due, repeats ? RunKind.REPEATED : notRepeated);
        beforeRun = known;
        // A repetition keeps the schedule of its due time, or the next leader would count another one from that time.
        String schedule = repeats ? known.schedule() : job.schedule().text();
        pending = new RunRecord(job.name(), due, now, null, false, schedule, member, token);
        step = Step.BEGINNING;
        actions.add(write());
        return actions;
    }

    /** The run has ended, which is recorded even if the term is over, or was interrupted, which is not. */
    public List<RunAction> ended(Instant now, RunOutcome outcome) {
        wanted = false; // an interrupted run is repeated, or not, by its guarantee
        if (outcome == RunOutcome.INTERRUPTED) {
            step = Step.WAITING;
            return tick(now); // a lease that seemed over may have been extended: then the term continues
        }
        pending = Objects.requireNonNull(last).ended(now, outcome == RunOutcome.SUCCEEDED);
        step = Step.ENDING;
        return List.of(write());
    }

    /**
     * How a run that has thrown an exception counts: after its lease as interrupted, because the interrupt may be the
     * cause. If the lease only seemed over and the run is not repeated, nobody else would count it: then it has failed.
     */
    public RunOutcome failed(boolean inLease, boolean leads) {
        boolean countsHere = inLease || (leads && job.guarantee() == Guarantee.AT_MOST_ONCE);
        return countsHere ? RunOutcome.FAILED : RunOutcome.INTERRUPTED;
    }

    /** The record of a run as begun is not written now: {@link #tick} decides again. */
    public void postpone() {
        step = Step.WAITING;
    }

    /** The run will not begin: what was recorded before it is recorded again. */
    public List<RunAction> notBegun() {
        pending = beforeRun;
        step = Step.COPYING;
        return List.of(write());
    }

    private RunAction write() {
        return new RunAction.Write(new RunKey(job.name(), token, attempt), Objects.requireNonNull(pending));
    }

    /** What is known about the last run; empty until it has been read and recorded. */
    public Optional<RunRecord> last() {
        return Optional.ofNullable(last);
    }

    /** Before which time no run is due; empty before it is known. */
    public Optional<Instant> notBefore() {
        return last().map(times::notBefore);
    }

    /** When the next run is due, or a run that is to be repeated was due; empty if that is not known. */
    public Optional<Instant> next() {
        return last().flatMap(known ->
                times.mustRepeat(known) && !isRunning() ? Optional.of(known.due()) : times.next(known));
    }

    /** Whether a run is being recorded as begun. */
    public boolean isBeginning() {
        return step == Step.BEGINNING;
    }

    /** Whether a run may begin. */
    public boolean isWaiting() {
        return step == Step.WAITING;
    }

    /** Whether a run is in progress, or its end is not recorded yet. */
    public boolean isRunning() {
        return step == Step.RUNNING || step == Step.ENDING;
    }
}
