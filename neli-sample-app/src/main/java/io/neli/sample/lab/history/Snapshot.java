package io.neli.sample.lab.history;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What an instance tells of itself several times a second.
 *
 * @param status of its election
 * @param problem what keeps the election from working
 * @param standing whether it would lead
 */
public record Snapshot(String status, @Nullable String problem, boolean standing, List<Partition> partitions) {

    /** Whether it could take over now. */
    public boolean isCandidate() {
        return standing && status.equals("RUNNING");
    }

    /**
     * One unit of leadership as the instance sees it.
     *
     * @param token of the latest term, whoever has it
     * @param leaseLeft in milliseconds
     */
    public record Partition(
            int partition,
            List<String> roles,
            RoleState.State state,
            @Nullable String leader,
            @Nullable Long token,
            long leaseLeft) {}
}
