package io.neli.internal.member;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.neli.internal.election.PastTerm;
import io.neli.internal.kafka.KafkaHistory;
import io.neli.internal.kafka.KafkaLogs;
import io.neli.internal.kafka.KafkaRunStore;
import io.neli.internal.kafka.KafkaSettings;
import io.neli.internal.runs.RunStore;
import io.neli.internal.shell.Logs;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problems;
import io.neli.internal.shell.ShellSettings;
import org.jspecify.annotations.Nullable;

/**
 * Kafka.
 *
 * @param client client properties of the application
 */
public record KafkaProvider(Map<String, Object> client) implements LogProvider {

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
        SettingsCheck.bootstrapServers(client.get("bootstrap.servers"));
        SettingsCheck.topic(topic, groupId);
        SettingsCheck.quorum(quorum, creation.replicationFactor(), topic);
    }

    @Override
    public Logs logs(ShellSettings settings, Creation creation, MemberClock clock, Problems problems) {
        return new KafkaLogs(kafka(settings, creation), clock, problems);
    }

    @Override
    public RunStore runStore(ShellSettings settings, Creation creation, MemberClock clock) {
        return new KafkaRunStore(kafka(settings, creation), clock);
    }

    /** Creates nothing. */
    @Override
    public List<PastTerm> history(ShellSettings settings, int partition, long since, MemberClock clock)
            throws InterruptedException {
        Creation none = new Creation(false, null, Duration.ZERO);
        return new KafkaHistory(kafka(settings, none), clock).read(partition, since);
    }

    private KafkaSettings kafka(ShellSettings settings, Creation creation) {
        return new KafkaSettings(
                client, settings, creation.allowed(), creation.replicationFactor(), creation.retention());
    }

    /** Without the client's properties, which may have passwords. */
    @Override
    public String toString() {
        return "KafkaProvider[" + servers() + "]";
    }
}
