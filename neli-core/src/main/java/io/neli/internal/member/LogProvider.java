package io.neli.internal.member;

import java.time.Duration;
import java.util.List;

import io.neli.NeliException;
import io.neli.internal.election.PastTerm;
import io.neli.internal.runs.RunStore;
import io.neli.internal.shell.Logs;
import io.neli.internal.shell.Problems;
import io.neli.internal.shell.ShellSettings;
import org.jspecify.annotations.Nullable;

/** The kind of servers that the logs of a group are on. */
public interface LogProvider {

    /**
     * How the place of the logs, such as a topic, is created.
     *
     * @param allowed whether a missing one is created
     * @param replicationFactor null for as many as is usual
     * @param retention for how long records are kept
     */
    record Creation(boolean allowed, @Nullable Integer replicationFactor, Duration retention) {}

    /** Where the logs of a group are unless the application chooses another name. */
    String defaultTopic(String groupId);

    /** The servers, for people: without passwords. */
    String servers();

    /**
     * Checks what depends on the kind of servers.
     *
     * @param groupId which the topic is named after; null if the application has named it
     * @throws NeliException if a setting cannot work
     */
    void check(String topic, @Nullable String groupId, int quorum, Creation creation);

    /**
     * The logs for one start of a member.
     *
     * @param problems where the logs report problems
     */
    Logs logs(ShellSettings settings, Creation creation, Problems problems);

    /** Where the runs of the group's jobs are recorded; connects when it is used. */
    RunStore runStore(ShellSettings settings, Creation creation);

    /**
     * Reads who led a partition. Waits for the servers, with a limit.
     *
     * @param since when the first record may have been stored, in milliseconds since the epoch
     * @return the earliest term first
     * @throws io.neli.internal.shell.UnusableLogException if it cannot be read
     * @throws IllegalArgumentException if there is more of it than is read at once
     */
    List<PastTerm> history(ShellSettings settings, int partition, long since) throws InterruptedException;
}
