package io.neli.internal.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.neli.Mode;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.GroupConfig;

/** Settings for tests of the shell. */
final class Settings {

    static final Duration LEASE = Duration.ofSeconds(2);
    static final GroupConfig GROUP_CONFIG = new GroupConfig(Mode.EXCLUSIVE, 1, "none");

    private Settings() {}

    /** Of a member that no broker is meant for. */
    static KafkaSettings offline(Map<String, ?> kafka) {
        Map<String, Object> properties = new HashMap<>(kafka);
        properties.putIfAbsent("bootstrap.servers", "localhost:1");
        return of(properties, "group", "member");
    }

    static KafkaSettings onSharedBroker(String groupId, String name) {
        return of(Map.of("bootstrap.servers", TestBroker.shared().bootstrapServers()), groupId, name);
    }

    static KafkaSettings of(Map<String, Object> kafka, String groupId, String name) {
        ElectionSettings election =
                new ElectionSettings(LEASE, Duration.ofMillis(100), Duration.ofSeconds(10), GROUP_CONFIG, Map.of());
        return new KafkaSettings(
                kafka, name, groupId, groupId + ".neli", true, 0, true, null, Duration.ofHours(1), election);
    }

    static KafkaSettings withPartitions(KafkaSettings settings, int partitions) {
        return withQuorum(settings, partitions, 1);
    }

    static KafkaSettings withQuorum(KafkaSettings settings, int partitions, int quorum) {
        ElectionSettings election = settings.election();
        return with(
                settings,
                settings.name(),
                settings.candidate(),
                new ElectionSettings(
                        election.leaseDuration(),
                        election.heartbeatInterval(),
                        election.handoverTimeout(),
                        new GroupConfig(Mode.EXCLUSIVE, partitions, "none", quorum),
                        Map.of()));
    }

    static KafkaSettings withoutCreation(KafkaSettings settings) {
        return new KafkaSettings(
                settings.client(),
                settings.name(),
                settings.groupId(),
                settings.topic(),
                settings.candidate(),
                settings.priority(),
                false,
                settings.replicationFactor(),
                settings.retention(),
                settings.election());
    }

    static KafkaSettings named(KafkaSettings settings, String name) {
        return with(settings, name, settings.candidate(), settings.election());
    }

    static KafkaSettings asObserver(KafkaSettings settings) {
        return with(settings, settings.name(), false, settings.election());
    }

    static KafkaSettings withLease(KafkaSettings settings, Duration leaseDuration) {
        return withTiming(settings, leaseDuration, settings.election().heartbeatInterval());
    }

    static KafkaSettings withTiming(KafkaSettings settings, Duration leaseDuration, Duration heartbeatInterval) {
        ElectionSettings election = settings.election();
        return with(
                settings,
                settings.name(),
                settings.candidate(),
                new ElectionSettings(
                        leaseDuration,
                        heartbeatInterval,
                        election.handoverTimeout(),
                        election.groupConfig(),
                        Map.of()));
    }

    private static KafkaSettings with(
            KafkaSettings settings, String name, boolean candidate, ElectionSettings election) {
        return new KafkaSettings(
                settings.client(),
                name,
                settings.groupId(),
                settings.topic(),
                candidate,
                settings.priority(),
                settings.createTopic(),
                settings.replicationFactor(),
                settings.retention(),
                election);
    }
}
