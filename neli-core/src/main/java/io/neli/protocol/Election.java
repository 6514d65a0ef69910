package io.neli.protocol;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * The rules for one member: those of its partitions ({@link PartitionElection}), and what concerns all of them. Pure.
 */
public final class Election {

    private final ElectionSettings settings;
    private final List<PartitionElection> elections;

    public Election(ElectionSettings settings) {
        this.settings = settings;
        this.elections = IntStream.range(0, settings.agreement().partitions())
                .mapToObj(partition -> new PartitionElection(settings, partition))
                .toList();
    }

    /** An action for a partition. */
    public record PartitionAction(int partition, Action action) {}

    /** What one input leads to. */
    public record Step(ElectionState state, List<PartitionAction> actions) {}

    /** The state at a member's start, before any log is opened. */
    public ElectionState initial(boolean candidate) {
        int partitions = settings.agreement().partitions();
        Candidacy candidacy = Candidacy.initial(candidate);
        return new ElectionState(
                candidacy,
                Collections.nCopies(partitions, PartitionState.initial(candidacy)),
                Collections.nCopies(partitions, MonotonicTime.NEVER),
                null);
    }

    /** Something happened to one partition. */
    public Step step(ElectionState state, int partition, Input input, Moment now) {
        return step(state, Map.of(partition, input), now);
    }

    /** Something happened to several partitions at once, such as one poll that brought records of all of them. */
    public Step step(ElectionState state, Map<Integer, ? extends Input> inputs, Moment now) {
        Work work = new Work(state, now);
        inputs.forEach(work::step);
        return work.finish();
    }

    /** Time has passed: turns the partitions whose deadline has come. */
    public Step timePassed(ElectionState state, Moment now) {
        Work work = new Work(state, now);
        for (int partition = 0; partition < state.partitions().size(); partition++) {
            if (now.time().hasReached(state.deadlines().get(partition))) {
                work.step(partition, new Input.TimePassed());
            }
        }
        return work.finish();
    }

    /** The group finished an assignment. */
    public Step assigned(ElectionState state, Assignment assignment, Moment now) {
        Work work = new Work(state, now);
        work.assignment = assignment;
        Boolean countedStanding = assignment.standing().get(settings.self());
        boolean alone = assignment.isAlone(settings.self());
        for (int partition = 0; partition < state.partitions().size(); partition++) {
            Assignment.Share share = assignment.share(partition);
            work.step(partition, new Input.Assigned(share.owner(), share.countedToken(), alone, countedStanding));
        }
        return work.finish();
    }

    /** The application resigned: this member does not stand before the cooldown is over. */
    public Step resign(ElectionState state, Duration cooldown, Moment now) {
        Work work = new Work(state, now);
        work.become(state.candidacy().coolingDown(now.time(), cooldown));
        return work.finish();
    }

    /** The application paused this member, or lets it go on: a paused one does not stand. */
    public Step pause(ElectionState state, boolean paused, Moment now) {
        Work work = new Work(state, now);
        work.become(state.candidacy().withPaused(paused));
        return work.finish();
    }

    /** The member closes: it hands over what it leads and never stands again. */
    public Step close(ElectionState state, Moment now) {
        Work work = new Work(state, now);
        work.become(state.candidacy().nowClosing());
        return work.finish();
    }

    /** Whether another agreement is in force in the group, by the log or by the last assignment. */
    private boolean meetsConflict(List<PartitionState> partitions, @Nullable Assignment assignment, Moment now) {
        if (assignment != null && !assignment.agreement().equals(settings.agreement())) {
            return true;
        }
        for (PartitionState partition : partitions) {
            LogView log = partition.log();
            if (log != null && log.conflictsWith(settings, now.time())) {
                return true;
            }
        }
        return false;
    }

    /** The working copy of one step. */
    private final class Work {
        private final Moment now;
        private final List<PartitionState> partitions;
        private final List<MonotonicTime> deadlines;
        private final List<PartitionAction> actions = new ArrayList<>();
        private Candidacy candidacy;
        private @Nullable Assignment assignment;

        Work(ElectionState state, Moment now) {
            this.now = now;
            this.partitions = new ArrayList<>(state.partitions());
            this.deadlines = new ArrayList<>(state.deadlines());
            this.candidacy = state.candidacy();
            this.assignment = state.assignment();
        }

        void step(int partition, Input input) {
            PartitionElection.Step step = elections.get(partition).step(partitions.get(partition), input, now);
            partitions.set(partition, step.state());
            deadlines.set(partition, step.deadline());
            for (Action action : step.actions()) {
                actions.add(new PartitionAction(partition, action));
            }
        }

        void become(Candidacy next) {
            candidacy = next;
            for (int partition = 0; partition < partitions.size(); partition++) {
                step(partition, new Input.CandidacyChanged(next));
            }
        }

        Step finish() {
            Candidacy next = candidacy.withConflict(meetsConflict(partitions, assignment, now));
            if (!next.ready() && partitions.stream().allMatch(PartitionState::caughtUp)) {
                next = next.nowReady();
            }
            if (!next.equals(candidacy)) {
                become(next);
            }
            return new Step(
                    new ElectionState(candidacy, List.copyOf(partitions), List.copyOf(deadlines), assignment),
                    List.copyOf(actions));
        }
    }
}
