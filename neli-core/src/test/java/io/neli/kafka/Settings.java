package io.neli.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import io.neli.kafka.MemberSettings.TopicCreation;
import io.neli.protocol.Agreement;
import io.neli.protocol.ElectionSettings;
import io.neli.protocol.MemberId;
import io.neli.protocol.Mode;

/** Settings for tests of the shell. */
final class Settings {

    static final Duration LEASE = Duration.ofSeconds(2);
    static final Agreement AGREEMENT = new Agreement(Mode.EXCLUSIVE, 1, "none");

    private Settings() {}

    /** Of a member that no broker is meant for. */
    static MemberSettings offline(Map<String, ?> kafka) {
        Map<String, Object> properties = new HashMap<>(kafka);
        properties.putIfAbsent("bootstrap.servers", "localhost:1");
        return of(properties, "group", "member");
    }

    static MemberSettings onSharedBroker(String groupId, String name) {
        return of(Map.of("bootstrap.servers", TestBroker.shared().bootstrapServers()), groupId, name);
    }

    static MemberSettings of(Map<String, Object> kafka, String groupId, String name) {
        ElectionSettings election = new ElectionSettings(
                new MemberId(name, UUID.randomUUID()),
                LEASE,
                Duration.ofMillis(100),
                Duration.ofSeconds(10),
                true,
                AGREEMENT);
        return new MemberSettings(
                kafka, groupId, groupId + ".neli", true, new TopicCreation(true, null, Duration.ofHours(1)), election);
    }

    static MemberSettings withPartitions(MemberSettings settings, int partitions) {
        ElectionSettings election = settings.election();
        return with(
                settings,
                settings.candidate(),
                new ElectionSettings(
                        election.self(),
                        election.lease(),
                        election.heartbeatInterval(),
                        election.handoverTimeout(),
                        election.takeover(),
                        new Agreement(Mode.EXCLUSIVE, partitions, "none")));
    }

    static MemberSettings withoutCandidacy(MemberSettings settings) {
        return with(settings, false, settings.election());
    }

    private static MemberSettings with(MemberSettings settings, boolean candidate, ElectionSettings election) {
        return new MemberSettings(
                settings.kafka(), settings.groupId(), settings.topic(), candidate, settings.topicCreation(), election);
    }

    static MemberSettings withLease(MemberSettings settings, Duration lease) {
        ElectionSettings election = settings.election();
        ElectionSettings next = new ElectionSettings(
                election.self(),
                lease,
                election.heartbeatInterval(),
                election.handoverTimeout(),
                election.takeover(),
                election.agreement());
        return with(settings, settings.candidate(), next);
    }
}
