package io.neli.bench.faults;

import io.neli.bench.faults.FaultKind.Target;

/**
 * One fault, as it was drawn.
 *
 * @param leases for how many leases it lasts
 * @param delay how many leases after the start of its pair it begins
 * @param variant chooses where there is more than one of what is hit
 */
record Fault(FaultKind kind, Target target, double leases, double delay, int variant) {

    /** What counts as one kind in the summary. */
    String name() {
        return target == Target.NOBODY ? kind.name() : kind + " " + target;
    }

    /** Whether a member that may lead reaches a majority of the logs, however long this goes on. */
    boolean leavesMajority(Arrangement arrangement) {
        return switch (kind) {
            case BROKER_KILLED, BROKER_TERMINATED, BROKER_FROZEN, BROKER_CUT_OFF ->
                arrangement != Arrangement.REPLICATED && target != Target.TWO_BROKERS && target != Target.ALL_BROKERS;
            case BROKER_SPLIT_OFF -> target == Target.LOG_LEADER;
            case BROKERS_SPLIT -> true;
            case TOPIC_DELETED -> arrangement == Arrangement.QUORUM;
            default -> kind.hitsMembers();
        };
    }

    double end() {
        return delay + leases;
    }

    @Override
    public String toString() {
        return String.format(
                "%s for %.2f leases%s", name(), leases, delay > 0 ? String.format(" after %.2f", delay) : "");
    }
}
