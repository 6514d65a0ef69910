package io.neli.bench.faults;

import io.neli.bench.faults.FaultKind.Target;

/**
 * One fault, drawn at random.
 *
 * @param leases for how many leases it lasts
 * @param delay how many leases after the start of its pair it begins
 * @param variant chooses between several possible victims
 */
record Fault(FaultKind kind, Target target, double leases, double delay, int variant) {

    /** The name under which the summary counts it. */
    String name() {
        return target == Target.NOBODY ? kind.name() : kind + " " + target;
    }

    /** Whether an eligible member still reaches a majority of the logs during this fault, however long it lasts. */
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
