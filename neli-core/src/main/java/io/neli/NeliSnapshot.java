package io.neli;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a member knows at one moment; for logs, metrics, health checks and humans.
 *
 * @param name this member's name
 * @param groupId the contending group
 * @param topic the leader topic
 * @param status whether the election itself works
 * @param problem what keeps it from working or needs attention; names the setting and the fix
 * @param eligible whether this member may lead in general: a candidate that has read the log, is not paused, cooling
 *     down or closing, and has no conflict with others
 * @param paused whether the application has paused the whole member
 * @param groupMembers how many members the consumer group had at its last assignment; 0 before the first
 * @param partitions the units of leadership, even while the member is stopped; empty if the election is disabled
 * @param jobs the {@linkplain Neli#schedule(io.neli.Job) jobs} of this member
 */
public record NeliSnapshot(
        String name,
        String groupId,
        String topic,
        Status status,
        Optional<String> problem,
        boolean eligible,
        boolean paused,
        int groupMembers,
        List<Partition> partitions,
        List<Job> jobs) {

    public NeliSnapshot {
        jobs = List.copyOf(jobs);
        partitions = List.copyOf(partitions);
    }

    /** Whether the election itself works, independent of who leads. */
    public enum Status {
        /** Not started, closing, or closed. */
        STOPPED,
        /** Connecting to the leader topic; no problem is known yet. */
        CONNECTING,
        /** The leader topic can be read and written. */
        RUNNING,
        /** The leader topic cannot be used; the member tries again with a growing delay. */
        FAILED,
        /**
         * A {@link LeaderEvent.LeaderAcquired} listener threw in each of the last two terms or more, so this member
         * cannot do the work.
         */
        UNABLE_TO_LEAD
    }

    /**
     * One unit of leadership, as this member sees it.
     *
     * @param partition the partition of the leader topic
     * @param roles the roles on it that have events; other names may map to it too
     * @param state what this member does on it
     * @param eligible whether this member may lead it: eligible in general, and this partition is not paused or cooling
     *     down
     * @param leader the name of the member that leads; empty if its lease is over
     * @param leaderMetadata what that member tells the others about itself; empty if nothing, or if nobody leads
     * @param token the latest term's fencing token
     * @param leading whether this member leads it at this moment, as {@link Neli#isLeader()} returns
     * @param leadingFor how long this member has led it in the latest term; zero unless the state is LEADING
     * @param preparingFor how long a {@link LeaderEvent.LeaderAcquired} listener has not returned, so that no work
     *     begins in the acquired term; otherwise zero
     * @param leaseLeft how long this member's lease lasts if it reads back nothing more; zero unless the state is
     *     LEADING or DRAINING
     * @param groupOwner the partition's owner by the group's last assignment: its name if it is this member or the
     *     holder of the latest term, otherwise 16 hexadecimal digits, because group data holds no names
     * @param logs the logs of the partition, as many as the quorum
     */
    public record Partition(
            int partition,
            List<String> roles,
            State state,
            boolean eligible,
            Optional<String> leader,
            Map<String, String> leaderMetadata,
            Optional<Long> token,
            boolean leading,
            Duration leadingFor,
            Duration preparingFor,
            Duration leaseLeft,
            Optional<String> groupOwner,
            List<Log> logs) {

        public Partition {
            logs = List.copyOf(logs);
            roles = List.copyOf(roles);
            leaderMetadata = Map.copyOf(leaderMetadata);
        }

        /** What a member does on a partition. */
        public enum State {
            /** Does not lead. */
            STANDBY,
            /** Has claimed leadership, and waits until earlier leases are over. */
            CLAIMED,
            /** Leads, as long as its lease lasts. */
            LEADING,
            /** No longer leads, but keeps others from leading until its work has ended. */
            DRAINING
        }
    }

    /**
     * One of the logs of a partition, as this member sees it. A member leads while it holds a majority of them.
     *
     * @param topic the topic of the log, which is in the topic's partition with the same number
     * @param readable whether this member reads the log and what it writes there arrives; a failure shows after some
     *     leases
     * @param held whether this member holds the log at this moment
     * @param holder the name of the member that holds the log or waits to hold it; empty if nobody is known to
     */
    public record Log(String topic, boolean readable, boolean held, Optional<String> holder) {}

    /**
     * A job, as this member sees it. Only the leader of its role knows {@code running}, {@code last} and {@code
     * nextDue}.
     *
     * @param schedule when it is due, for display
     * @param running whether a run is in progress, or its end is not recorded yet
     * @param last the last run that began, on any member
     * @param nextDue when it is due next; while the leader has not read the records of runs, since when it has led
     */
    public record Job(
            String name,
            String role,
            String schedule,
            boolean running,
            Optional<LastRun> last,
            Optional<Instant> nextDue) {}

    /**
     * A run of a job.
     *
     * @param ended when it ended; empty if it is not known to have ended
     * @param succeeded whether it ended without an exception
     * @param member the name of the member that ran it
     * @param token the fencing token of that member's term
     */
    public record LastRun(
            Instant due, Instant begun, Optional<Instant> ended, boolean succeeded, String member, long token) {}
}
