package io.neli.internal.election;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/** The rules for one member: those of each partition ({@link PartitionElection}), and those that span partitions. */
public final class Election {

    private final ElectionSettings settings;
    private final String groupConfig;
    private final List<PartitionElection> elections;

    public Election(MemberId self, ElectionSettings settings) {
        this.settings = settings;
        this.groupConfig = settings.groupConfig().fingerprint();
        this.elections = IntStream.range(0, settings.groupConfig().partitions())
                .mapToObj(partition -> new PartitionElection(self, settings, partition))
                .toList();
    }

    /**
     * An action, and the log that it is for.
     *
     * @param log the partition's first log if the action concerns the partition itself
     */
    public record PartitionAction(LogId log, Action action) {

        public int partition() {
            return log.partition();
        }
    }

    public record Step(ElectionState state, List<PartitionAction> actions) {}

    /** The state of a starting member, before any log is opened. */
    public ElectionState initial(boolean candidate) {
        int partitions = settings.groupConfig().partitions();
        Eligibility eligibility = Eligibility.initial(candidate);
        return new ElectionState(
                eligibility,
                Collections.nCopies(partitions, Restraint.NONE),
                Collections.nCopies(
                        partitions, new PartitionState(settings.groupConfig().quorum(), eligibility)),
                partitions,
                null);
    }

    /** Something happened to one log. */
    public Step step(ElectionState state, LogId log, Input input, Moment now) {
        return step(state, Map.of(log, input), now);
    }

    /** The work of a term that was revoked or fenced has ended; see {@link Input.Drained}. */
    public Step drained(ElectionState state, int partition, long token, boolean fenced, Moment now) {
        return step(state, now, step -> step.apply(partition, new Input.Drained(token, fenced)));
    }

    /** This member has said that it no longer leads, because its lease was over; see {@link Input.LeaseLapsed}. */
    public Step lapsed(ElectionState state, int partition, long token, Moment now) {
        return step(state, now, step -> step.apply(partition, new Input.LeaseLapsed(token)));
    }

    /**
     * Continues as this member from the state of the former incarnation, see {@link Action.Renew}. The former one's
     * terms are over, and its leases count as another member's.
     */
    public Step renewed(ElectionState state, Moment now) {
        return step(state, now, step -> {
            for (int partition = 0; partition < state.partitions().size(); partition++) {
                step.apply(partition, new Input.Renewed());
            }
        });
    }

    /** Something happened to several logs at once: for example, one poll returned records of all of them. */
    public Step step(ElectionState state, Map<LogId, ? extends Input> inputs, Moment now) {
        Map<Integer, Map<Integer, Input>> byPartition = new LinkedHashMap<>();
        inputs.forEach((log, input) -> byPartition
                .computeIfAbsent(log.partition(), partition -> new LinkedHashMap<>())
                .put(log.log(), input));
        return step(state, now, step -> byPartition.forEach(step::apply));
    }

    /** Time has passed: steps the partitions whose deadline has been reached. */
    public Step timePassed(ElectionState state, Moment now) {
        return step(state, now, step -> {
            for (int partition = 0; partition < state.partitions().size(); partition++) {
                if (now.time().hasReached(state.partitions().get(partition).deadline)) {
                    step.apply(partition, new Input.TimePassed());
                }
            }
        });
    }

    /** The group finished an assignment. */
    public Step assigned(ElectionState state, MemberPlan plan, Moment now) {
        boolean isOurs = plan.groupConfig().equals(groupConfig);
        return step(state, now, step -> {
            step.plan = plan;
            for (int partition = 0; partition < state.partitions().size(); partition++) {
                MemberPlan.Share share = isOurs ? plan.share(partition) : MemberPlan.Share.NONE;
                boolean alone = plan.alone().contains(partition);
                step.apply(partition, new Input.Assigned(share, alone, plan.countedEligible(partition)));
            }
        });
    }

    /**
     * The application resigned on one partition, or on all if {@code partition} is null: the member is not eligible
     * before the cooldown ends.
     */
    public Step resign(ElectionState state, @Nullable Integer partition, Duration cooldown, Moment now) {
        return restrain(state, partition, restraint -> restraint.coolingDown(now.time(), cooldown), now);
    }

    /**
     * The application paused or resumed one partition, or the member if {@code partition} is null. The member is not
     * eligible while either is paused. Resuming also ends the cooldown after a resignation.
     */
    public Step pause(ElectionState state, @Nullable Integer partition, boolean paused, Moment now) {
        return restrain(state, partition, restraint -> paused ? restraint.nowPaused() : Restraint.NONE, now);
    }

    private Step restrain(
            ElectionState state, @Nullable Integer partition, UnaryOperator<Restraint> change, Moment now) {
        Eligibility eligibility = state.eligibility();
        return step(state, now, step -> {
            if (partition == null) {
                step.changeEligibility(eligibility.withRestraint(change.apply(eligibility.restraint())));
            } else {
                step.restraints.set(partition, change.apply(state.restraints().get(partition)));
                step.changeEligibility(partition);
            }
        });
    }

    /** The application decided whether this member is a candidate from now on. */
    public Step candidate(ElectionState state, boolean candidate, Moment now) {
        return step(
                state, now, step -> step.changeEligibility(state.eligibility().withCandidate(candidate)));
    }

    /** The member closes: it hands over what it leads and is never eligible again. */
    public Step close(ElectionState state, Moment now) {
        return step(
                state, now, step -> step.changeEligibility(state.eligibility().nowClosing()));
    }

    private Step step(ElectionState state, Moment now, Consumer<StepBuilder> change) {
        StepBuilder step = new StepBuilder(state, now);
        change.accept(step);
        return step.finish();
    }

    /** The state during one step, and the actions so far. */
    private final class StepBuilder {
        private final Moment now;
        private final List<Restraint> restraints;
        private final List<PartitionState> partitions;
        private final List<PartitionAction> actions = new ArrayList<>();
        private Eligibility eligibility;
        private int otherRolesFrom;
        private @Nullable MemberPlan plan;

        StepBuilder(ElectionState state, Moment now) {
            this.now = now;
            this.restraints = new ArrayList<>(state.restraints());
            this.partitions = new ArrayList<>(state.partitions());
            this.eligibility = state.eligibility();
            this.otherRolesFrom = state.otherRolesFrom();
            this.plan = state.plan();
        }

        void apply(int partition, Input input) {
            apply(partition, Map.of(0, input));
        }

        void apply(int partition, Map<Integer, Input> inputs) {
            PartitionElection.Step step = elections.get(partition).step(partitions.get(partition), inputs, now);
            partitions.set(partition, step.state());
            actions.addAll(step.actions());
        }

        void changeEligibility(Eligibility next) {
            eligibility = next;
            for (int partition = 0; partition < partitions.size(); partition++) {
                changeEligibility(partition);
            }
        }

        /** An eligible member is so for each partition where neither a restraint nor another role keeps it out. */
        void changeEligibility(int partition) {
            Restraint both = eligibility.restraint().and(restraints.get(partition));
            Conflict roles = partition < otherRolesFrom ? Conflict.NONE : Conflict.ROLES;
            Conflict worse = eligibility.conflict().orWorse(roles);
            apply(
                    partition,
                    new Input.EligibilityChanged(eligibility.withRestraint(both).withConflict(worse)));
        }

        /**
         * If another role is led in one partition, the members' lists of roles may differ in all later partitions too.
         * All other conflicts are those of the whole member.
         */
        private void findConflicts() {
            Conflict ofAll = Conflict.NONE;
            otherRolesFrom = partitions.size();
            for (int partition = partitions.size() - 1; partition >= 0; partition--) {
                Conflict found = elections.get(partition).conflict(partitions.get(partition), now);
                if (found == Conflict.ROLES) {
                    otherRolesFrom = partition;
                } else {
                    ofAll = ofAll.orWorse(found);
                }
            }
            eligibility = eligibility.withConflict(ofAll);
        }

        /** A log that cannot be opened, or takes longer than a lease to read, does not block the others. */
        private boolean hasReadOpenLogs() {
            boolean anyRead = false;
            for (PartitionState partition : partitions) {
                if (partition.logs().stream().anyMatch(this::isBeingRead)) {
                    return false;
                }
                anyRead |= partition.caughtUp();
            }
            return anyRead;
        }

        private boolean isBeingRead(LogState log) {
            boolean forALease = now.time().hasReached(log.view.openedAt.plus(settings.leaseDuration()));
            return log.isOpen() && !log.view.caughtUp() && !forALease;
        }

        Step finish() {
            Eligibility before = eligibility;
            int otherRolesBefore = otherRolesFrom;
            findConflicts();
            if (!eligibility.ready() && hasReadOpenLogs()) {
                eligibility = eligibility.nowReady();
            }
            if (!eligibility.equals(before) || otherRolesFrom != otherRolesBefore) {
                changeEligibility(eligibility);
            }
            return new Step(
                    new ElectionState(
                            eligibility, List.copyOf(restraints), List.copyOf(partitions), otherRolesFrom, plan),
                    List.copyOf(actions));
        }
    }
}
