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

    double end() {
        return delay + leases;
    }

    @Override
    public String toString() {
        return String.format(
                "%s for %.2f leases%s", name(), leases, delay > 0 ? String.format(" after %.2f", delay) : "");
    }
}
