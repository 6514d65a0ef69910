package io.neli.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;

import io.neli.protocol.ElectionSettings;
import io.neli.protocol.MemberId;
import org.jspecify.annotations.Nullable;

/**
 * All that the shell is told, checked by its caller.
 *
 * @param kafka client properties of the application
 * @param groupId the consumer group, and the key of its records
 * @param topic the leader topic
 * @param candidate whether the member may lead
 * @param topicCreation how to create the topic
 * @param election the constants of the protocol
 */
public record MemberSettings(
        Map<String, Object> kafka,
        String groupId,
        String topic,
        boolean candidate,
        TopicCreation topicCreation,
        ElectionSettings election) {

    /**
     * How a missing topic is created.
     *
     * @param enabled whether it is
     * @param replicationFactor null for three, or the number of brokers if that is less
     * @param retention how far the log reaches back
     */
    public record TopicCreation(boolean enabled, @Nullable Integer replicationFactor, Duration retention) {}

    /** The settings of another start of the same instance. */
    public MemberSettings withIncarnation(UUID incarnation) {
        ElectionSettings next = new ElectionSettings(
                new MemberId(memberName(), incarnation),
                election.lease(),
                election.heartbeatInterval(),
                election.handoverTimeout(),
                election.takeover(),
                election.agreement());
        return new MemberSettings(kafka, groupId, topic, candidate, topicCreation, next);
    }

    int partitions() {
        return election.agreement().partitions();
    }

    String memberName() {
        return election.self().name();
    }
}
