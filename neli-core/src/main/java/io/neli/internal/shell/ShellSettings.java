package io.neli.internal.shell;

import java.util.List;
import java.util.stream.IntStream;

import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.LogId;

/**
 * What the shell is configured with, whatever its log is, the same for every start of a member; checked by its caller.
 *
 * @param name the member's name, for people
 * @param groupId the contending group, and the key of its records
 * @param topic where the logs are; where a partition lies on several, where the first ones are
 * @param candidate whether the member may lead
 * @param priority eligible members of the highest priority are assigned the partitions
 * @param roles the listed roles, for people
 * @param election the constants of the rules
 */
public record ShellSettings(
        String name,
        String groupId,
        String topic,
        boolean candidate,
        int priority,
        List<String> roles,
        ElectionSettings election) {

    public ShellSettings {
        roles = List.copyOf(roles);
    }

    /** Where the logs of this number are; the first ones are where single logs would be. */
    public static String topic(String first, int log) {
        return log == 0 ? first : first + "." + log;
    }

    public int partitions() {
        return election.groupConfig().partitions();
    }

    /** On how many logs each partition lies. */
    public int quorum() {
        return election.groupConfig().quorum();
    }

    /** How many of its logs a partition needs. */
    public int majority() {
        return election.groupConfig().majority();
    }

    /** Where the log of this number of each partition is. */
    public String topic(int log) {
        return topic(topic, log);
    }

    /** The logs that are in one place. */
    public List<LogId> logsOf(int log) {
        return IntStream.range(0, partitions())
                .mapToObj(partition -> new LogId(partition, log))
                .toList();
    }

    public List<LogId> logs() {
        return IntStream.range(0, quorum())
                .boxed()
                .flatMap(log -> logsOf(log).stream())
                .toList();
    }

    public String threadName(String purpose) {
        return "neli-" + name + "-" + purpose;
    }

    /** Of all logs. */
    public List<String> topics() {
        return IntStream.range(0, quorum()).mapToObj(this::topic).toList();
    }
}
