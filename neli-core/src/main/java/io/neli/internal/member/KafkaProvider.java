package io.neli.internal.member;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import io.neli.NeliException;
import io.neli.internal.election.PastTerm;
import io.neli.internal.kafka.KafkaHistory;
import io.neli.internal.kafka.KafkaLogs;
import io.neli.internal.kafka.KafkaRunStore;
import io.neli.internal.kafka.KafkaSettings;
import io.neli.internal.runs.RunStore;
import io.neli.internal.shell.ElectionDriver;
import io.neli.internal.shell.Logs;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problems;
import io.neli.internal.shell.ShellSettings;
import io.neli.internal.shell.UnusableLogException;
import org.jspecify.annotations.Nullable;

/** Keeps the logs of a group on Kafka, with the client properties of the application. */
public record KafkaProvider(Map<String, Object> client) implements LogProvider {

    /** Kafka allows 249 characters, of which the longest suffix, {@code .runs}, needs five. */
    private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,244}");

    private static final Creation NONE = new Creation(false, null, Duration.ZERO);

    private static final Set<Integer> QUORUMS = Set.of(1, 3, 5);

    @Override
    public String defaultTopic(String groupId) {
        return groupId + ".neli";
    }

    @Override
    public String servers() {
        return String.valueOf(client.get("bootstrap.servers"));
    }

    @Override
    public void check(String topic, @Nullable String groupId, int quorum, Creation creation) {
        checkServers(client.get("bootstrap.servers"));
        checkTopic(topic, groupId);
        checkQuorum(quorum, creation.replicationFactor());
    }

    private static void checkServers(@Nullable Object servers) {
        if (servers == null || servers.toString().isBlank()) {
            throw SettingsCheck.invalid(
                    "neli.kafka.bootstrap-servers",
                    servers,
                    "it must not be empty",
                    "name at least one broker as host:port");
        }
    }

    private static void checkTopic(String topic, @Nullable String groupId) {
        if (groupId != null && !TOPIC.matcher(topic).matches()) {
            throw SettingsCheck.invalid(
                    "neli.group-id",
                    groupId,
                    "the topic '" + topic
                            + "', which is named after it, would not be legal (the default of the group id is"
                            + " spring.application.name)",
                    "set neli.group-id to at most 239 letters, digits, '.', '_' and '-', such as '"
                            + groupId.strip().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9._-]+", "-")
                            + "', or set neli.topic.name too");
        }
        if (!TOPIC.matcher(topic).matches() || topic.equals(".") || topic.equals("..")) {
            throw SettingsCheck.invalid(
                    "neli.topic.name",
                    topic,
                    "it is not a legal name of a leader topic",
                    "use at most 244 letters, digits, '.', '_' and '-' (the default is neli.group-id followed by"
                            + " '.neli')");
        }
    }

    private static void checkQuorum(int quorum, @Nullable Integer replicationFactor) {
        if (!QUORUMS.contains(quorum)) {
            throw SettingsCheck.invalid(
                    "neli.quorum",
                    quorum,
                    "it is not supported",
                    "use 1, or 3 or 5 to survive the crash of one or two brokers");
        }
        if (quorum > 1 && replicationFactor != null) {
            throw SettingsCheck.invalid(
                    "neli.topic.replication-factor",
                    replicationFactor,
                    "neli.quorum is '" + quorum + "', and its logs have one replica each",
                    "leave it out, or set neli.quorum to 1");
        }
    }

    @Override
    public void checkClient(ShellSettings settings) {
        try {
            KafkaLogs.checkClient(kafka(settings, NONE));
        } catch (UnusableLogException e) {
            throw new NeliException(e.problem().what(), e.problem().fix());
        }
    }

    @Override
    public Logs logs(ShellSettings settings, Creation creation, ElectionDriver driver, Problems problems) {
        return new KafkaLogs(kafka(settings, creation), MemberClock.system(), problems, driver);
    }

    @Override
    public RunStore runStore(ShellSettings settings, Creation creation) {
        return new KafkaRunStore(kafka(settings, creation), MemberClock.system());
    }

    /** Does not create topics. */
    @Override
    public List<PastTerm> history(ShellSettings settings, int partition, long since) throws InterruptedException {
        return new KafkaHistory(kafka(settings, NONE), MemberClock.system()).read(partition, since);
    }

    private KafkaSettings kafka(ShellSettings settings, Creation creation) {
        return new KafkaSettings(
                client, settings, creation.allowed(), creation.replicationFactor(), creation.retention());
    }

    /** Omits the client properties, which may contain passwords. */
    @Override
    public String toString() {
        return "KafkaProvider[" + servers() + "]";
    }
}
