package io.neli;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a member knows at one moment; for logs, metrics, health and people.
 *
 * @param name this member's name
 * @param groupId the contending group
 * @param topic the leader topic
 * @param status whether the election itself works
 * @param problem what keeps it from working or needs attention; names the setting and the fix
 * @param eligible whether this member may lead, in general: a candidate, not paused, not cooling down, not closing, no
 *     conflict with others
 * @param paused whether the application has paused it as a whole
 * @param groupMembers how many members the consumer group had at its last assignment; 0 before the first
 * @param partitions the units of leadership; known also while it is stopped
 * @param ignoredRecords how many records of each kind were read and ignored
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
        Map<String, Long> ignoredRecords,
        List<Job> jobs) {

    public NeliSnapshot {
        jobs = List.copyOf(jobs);
        partitions = List.copyOf(partitions);
        ignoredRecords = Map.copyOf(ignoredRecords);
    }

    /** Whether the election itself works, independent of who leads. */
    public enum Status {
        /** Not started, or closed. */
        STOPPED,
        /** On the way to the leader topic; nothing is wrong yet. */
        CONNECTING,
        /** The leader topic is read and written. */
        RUNNING,
        /** The leader topic cannot be used; tried again with a growing delay. */
        FAILED,
        /**
         * A {@link LeaderEvent.LeaderAcquired} listener threw in at least the last two terms: this member cannot do the
         * work.
         */
        UNABLE_TO_LEAD
    }

    /**
     * One unit of leadership as this member sees it.
     *
     * @param partition the partition of the leader topic
     * @param roles the roles that have events of their own; other names may map to it too
     * @param state STANDBY, CLAIMED, LEADING or DRAINING
     * @param eligible whether this member may lead it: eligible, and this partition not paused or cooling down by
     *     itself
     * @param leader the name of the member that leads, unless its lease is over
     * @param leaderMetadata what that member is configured to tell of itself; empty if nothing, or if nobody leads
     * @param token the latest term's fencing token
     * @param leading whether this member leads it at this moment, as {@link Neli#isLeader()} says
     * @param leadingFor for how long this member has led it in the latest term; zero unless the state is LEADING
     * @param preparingFor for how long no work has begun in a term that it acquired, because a {@link
     *     LeaderEvent.LeaderAcquired} listener has not returned; otherwise zero
     * @param leaseLeft how long this member's lease lasts if nothing more is read back; zero unless the state is
     *     LEADING or DRAINING
     * @param groupOwner the partition's owner by the group's last assignment: its name if it is this member or the
     *     holder of the latest term, otherwise 16 hexadecimal digits, because group data holds no names
     * @param logs the logs that it lies on, as many as the quorum
     */
    public record Partition(
            int partition,
            List<String> roles,
            String state,
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
    }

    /**
     * One of the logs of a partition, as this member sees it. A member leads while it holds a majority of them.
     *
     * @param topic the topic of the log; the number of its partition is that of the unit of leadership
     * @param readable whether this member reads it, and what it writes there arrives; a failure is noticed after some
     *     leases
     * @param held whether this member holds it at this moment
     * @param holder the name of the member that holds it, or waits to; empty if nobody is known to
     */
    public record Log(String topic, boolean readable, boolean held, Optional<String> holder) {}

    /**
     * A job as this member sees it. Only the leader of its role knows more than the first three.
     *
     * @param schedule when it is due, for people
     * @param running whether a run is going on, or its end is not recorded yet
     * @param last the last run that was begun, by any member
     * @param nextDue when it is due next; while the leader cannot read what has run, since when it leads
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
     * @param ended when it ended; empty if it is not known to have
     * @param succeeded whether it ended without an exception
     * @param member the name of the member that ran it
     * @param token of that member's term
     */
    public record LastRun(
            Instant due, Instant begun, Optional<Instant> ended, boolean succeeded, String member, long token) {}
}
