package io.neli.internal.member;

import java.time.Duration;
import java.util.List;

import io.neli.NeliException;
import io.neli.internal.election.PastTerm;
import io.neli.internal.runs.RunStore;
import io.neli.internal.shell.ElectionDriver;
import io.neli.internal.shell.Logs;
import io.neli.internal.shell.Problems;
import io.neli.internal.shell.ShellSettings;
import org.jspecify.annotations.Nullable;

/** A kind of servers that hold the logs of a group, such as Kafka. */
public interface LogProvider {

    /**
     * How to create the place of the logs, such as a topic.
     *
     * @param allowed whether to create a missing one
     * @param replicationFactor null for the usual number of replicas
     * @param retention how long records are kept
     */
    record Creation(boolean allowed, @Nullable Integer replicationFactor, Duration retention) {}

    /** The place of the logs of a group, unless the application chooses another name. */
    String defaultTopic(String groupId);

    /** The servers, for messages; without passwords. */
    String servers();

    /**
     * Checks the settings that depend on the kind of servers.
     *
     * @param groupId the group id that the topic is named after; null if the application named the topic
     * @throws NeliException if a setting is invalid
     */
    void check(String topic, @Nullable String groupId, int quorum, Creation creation);

    /**
     * Checks the settings of the clients, without connecting.
     *
     * @throws NeliException if no client can be created with them
     */
    default void checkClient(ShellSettings settings) {}

    /**
     * The logs for one start of a member.
     *
     * @param driver receives what is read
     * @param problems receives the problems of the logs
     */
    Logs logs(ShellSettings settings, Creation creation, ElectionDriver driver, Problems problems);

    /** The store for the runs of the group's jobs. Connects when it is first used. */
    RunStore runStore(ShellSettings settings, Creation creation);

    /**
     * Reads who led a partition. Waits for the servers, with a limit.
     *
     * @param since when to begin: the earliest time at which a record was stored, in milliseconds since the epoch
     * @return the terms, earliest first
     * @throws io.neli.internal.shell.UnusableLogException if the log cannot be read
     * @throws IllegalArgumentException if there are too many records to read at once
     */
    List<PastTerm> history(ShellSettings settings, int partition, long since) throws InterruptedException;
}
