package io.neli.internal.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.neli.Mode;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.shell.ShellSettings;
import io.neli.internal.shell.ShellTests;

final class Settings {

    static final Duration LEASE = Duration.ofSeconds(5);

    /** For tests that wait until leases end. They check only what holds even if a slow machine ends more of them. */
    static final Duration QUICK = Duration.ofMillis(400);

    static final GroupConfig GROUP_CONFIG = new GroupConfig(Mode.EXCLUSIVE, 1, "none", 1);

    private Settings() {}

    /** Settings of a member without a broker. */
    static KafkaSettings offline(Map<String, ?> kafka) {
        Map<String, Object> properties = new HashMap<>(kafka);
        properties.putIfAbsent("bootstrap.servers", "localhost:1");
        return of(properties, "group", "member");
    }

    static KafkaSettings onSharedBroker(String groupId, String name) {
        return of(Map.of("bootstrap.servers", Brokers.shared().bootstrapServers()), groupId, name);
    }

    static KafkaSettings of(Map<String, Object> kafka, String groupId, String name) {
        ShellSettings shell = ShellTests.settings(name, groupId, true, LEASE, GROUP_CONFIG);
        return new KafkaSettings(kafka, shell, true, null, Duration.ofHours(1));
    }

    static KafkaSettings withPartitions(KafkaSettings settings, int partitions) {
        return withQuorum(settings, partitions, 1);
    }

    static KafkaSettings withQuorum(KafkaSettings settings, int partitions, int quorum) {
        GroupConfig groupConfig = new GroupConfig(Mode.EXCLUSIVE, partitions, "none", quorum);
        return with(
                settings,
                settings.shell().candidate(),
                settings.shell().election().leaseDuration(),
                groupConfig);
    }

    static KafkaSettings withoutCreation(KafkaSettings settings) {
        return new KafkaSettings(
                settings.client(), settings.shell(), false, settings.replicationFactor(), settings.retention());
    }

    static KafkaSettings asObserver(KafkaSettings settings) {
        ElectionSettings election = settings.shell().election();
        return with(settings, false, election.leaseDuration(), election.groupConfig());
    }

    static KafkaSettings withLease(KafkaSettings settings, Duration leaseDuration) {
        ShellSettings shell = settings.shell();
        return with(settings, shell.candidate(), leaseDuration, shell.election().groupConfig());
    }

    private static KafkaSettings with(
            KafkaSettings settings, boolean candidate, Duration leaseDuration, GroupConfig groupConfig) {
        ShellSettings former = settings.shell();
        ShellSettings shell =
                ShellTests.settings(former.name(), former.groupId(), candidate, leaseDuration, groupConfig);
        return new KafkaSettings(
                settings.client(), shell, settings.createTopic(), settings.replicationFactor(), settings.retention());
    }
}
