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

    private final MemberId self;
    private final ElectionSettings settings;
    private final List<PartitionConfig> configs;

    public Election(MemberId self, ElectionSettings settings) {
        this.self = self;
        this.settings = settings;
        this.configs = IntStream.range(0, settings.groupConfig().partitions())
                .mapToObj(settings.groupConfig()::of)
                .toList();
    }

    /**
     * An action, and the log that it is for.
     *
     * @param log the partition's first log if the action concerns the partition itself
     */
    public record PartitionAction(LogId log, Action action) {}

    public record Step(ElectionState state, List<PartitionAction> actions) {}

    /** The state of a starting member, before any log is opened. */
    public ElectionState initial(boolean candidate) {
        int partitions = settings.groupConfig().partitions();
        Eligibility eligibility = new Eligibility(candidate, false, Restraint.NONE, false, Conflict.NONE);
        return new ElectionState(
                eligibility,
                Collections.nCopies(
                        partitions, new PartitionState(settings.groupConfig().quorum(), eligibility)),
                partitions,
                null);
    }

    /**
     * The work of a term that was revoked or fenced has ended.
     *
     * @param fenced whether the listeners of a fence have returned too. Only then does it end a fenced term: a report
     *     made before the fence may be processed after it
     */
    public Step drained(ElectionState state, int partition, long token, boolean fenced, Moment now) {
        return step(state, now, step -> step.apply(partition, context -> LeaderRules.drained(context, token, fenced)));
    }

    /** A caller asked when the lease of that term was over, and was told that this member does not lead. */
    public Step lapsed(ElectionState state, int partition, long token, Moment now) {
        return step(state, now, step -> step.apply(partition, context -> LeaderRules.lapsed(context, token)));
    }

    /**
     * Continues as this member from the state of the former incarnation, see {@link Action.Renew}. The former one's
     * terms are over, and its leases count as another member's.
     */
    public Step renewed(ElectionState state, Moment now) {
        return step(state, now, step -> {
            for (int partition = 0; partition < state.partitions().size(); partition++) {
                step.apply(partition, LogRules::renewed);
            }
        });
    }

    /** Something happened to several logs at once: for example, one poll returned records of all of them. */
    public Step step(ElectionState state, Map<LogId, ? extends Input> inputs, Moment now) {
        Map<Integer, Map<Integer, Input>> byPartition = new LinkedHashMap<>();
        inputs.forEach((log, input) -> byPartition
                .computeIfAbsent(log.partition(), partition -> new LinkedHashMap<>())
                .put(log.log(), input));
        return step(
                state,
                now,
                step -> byPartition.forEach((partition, byLog) -> step.apply(
                        partition,
                        context -> byLog.forEach((log, input) ->
                                LogRules.apply(context, context.logs().get(log), input)))));
    }

    /** Time has passed: steps the partitions whose deadline has been reached. */
    public Step timePassed(ElectionState state, Moment now) {
        return step(state, now, step -> {
            for (int partition = 0; partition < state.partitions().size(); partition++) {
                if (now.time().hasReached(state.partitions().get(partition).deadline)) {
                    step.apply(partition, context -> {});
                }
            }
        });
    }

    /** The group finished an assignment. */
    public Step assigned(ElectionState state, MemberPlan plan, Moment now) {
        boolean isOurs = plan.groupConfig().equals(settings.groupConfig().fingerprint());
        return step(state, now, step -> {
            step.plan = plan;
            for (int partition = 0; partition < state.partitions().size(); partition++) {
                MemberPlan.Share share = isOurs ? plan.share(partition) : MemberPlan.Share.NONE;
                boolean alone = plan.alone().contains(partition);
                Boolean counted = plan.countedEligible(partition);
                step.apply(partition, context -> LeaderRules.assigned(context, share, alone, counted));
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
                step.changeEligibility(
                        partition, change.apply(state.partitions().get(partition).restraint));
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
        private final List<PartitionState> partitions;
        private final List<PartitionAction> actions = new ArrayList<>();
        private Eligibility eligibility;
        private int otherRolesFrom;
        private @Nullable MemberPlan plan;

        StepBuilder(ElectionState state, Moment now) {
            this.now = now;
            this.partitions = new ArrayList<>(state.partitions());
            this.eligibility = state.eligibility();
            this.otherRolesFrom = state.otherRolesFrom();
            this.plan = state.plan();
        }

        void apply(int partition, Consumer<PartitionContext> happened) {
            PartitionContext context = new PartitionContext(
                    self, settings, configs.get(partition), partition, partitions.get(partition), now);
            PartitionElection.step(context, happened);
            partitions.set(partition, context.partition);
            actions.addAll(context.actions);
        }

        void changeEligibility(Eligibility next) {
            eligibility = next;
            for (int partition = 0; partition < partitions.size(); partition++) {
                changeEligibility(partition, partitions.get(partition).restraint);
            }
        }

        /** An eligible member is so for each partition where neither a restraint nor another role keeps it out. */
        void changeEligibility(int partition, Restraint restraint) {
            Restraint both = eligibility.restraint().and(restraint);
            Conflict roles = partition < otherRolesFrom ? Conflict.NONE : Conflict.ROLES;
            Conflict worse = eligibility.conflict().orWorse(roles);
            Eligibility next = eligibility.withRestraint(both).withConflict(worse);
            apply(partition, context -> {
                context.partition.restraint = restraint;
                LogRules.eligibilityChanged(context, next);
            });
        }

        /**
         * If another role is led in one partition, the members' lists of roles may differ in all later partitions too.
         * All other conflicts are those of the whole member.
         */
        private void findConflicts() {
            Conflict ofAll = Conflict.NONE;
            otherRolesFrom = partitions.size();
            for (int partition = partitions.size() - 1; partition >= 0; partition--) {
                Conflict found = partitions.get(partition).conflict(self, configs.get(partition), now);
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
            return partitions.stream().anyMatch(PartitionState::caughtUp)
                    && partitions.stream()
                            .flatMap(partition -> partition.logs().stream())
                            .noneMatch(this::isBeingRead);
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
                    new ElectionState(eligibility, List.copyOf(partitions), otherRolesFrom, plan),
                    List.copyOf(actions));
        }
    }
}
