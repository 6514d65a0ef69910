package io.neli.internal.shell;

import java.util.List;
import java.util.stream.IntStream;

import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.LogId;

/**
 * A member's settings for any kind of log, the same for each of its starts. The caller checks them.
 *
 * @param name the member's name, for humans
 * @param groupId the contending group, and the key of its records
 * @param topic the topic or stream of the logs; with a quorum, of those of number 0
 * @param candidate whether the member may lead
 * @param priority eligible members of the highest priority are assigned the partitions
 * @param roles the listed roles, for messages
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

    /** The largest port that an address of a server may have. */
    public static final int LARGEST_PORT = 65_535;

    /** The topic of the logs of this number. For number 0, it is the same as without a quorum. */
    public static String topic(String first, int log) {
        return log == 0 ? first : first + "." + log;
    }

    public int partitions() {
        return election.groupConfig().partitions();
    }

    /** How many logs each partition has. */
    public int quorum() {
        return election.groupConfig().quorum();
    }

    /** How many of a partition's logs are a majority. */
    public int majority() {
        return election.groupConfig().majority();
    }

    /** The topic of the logs of this number. */
    public String topic(int log) {
        return topic(topic, log);
    }

    /** The logs of this number, one for each partition. */
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

    /** The topics of all logs, by number. */
    public List<String> topics() {
        return IntStream.range(0, quorum()).mapToObj(this::topic).toList();
    }
}
