package io.neli.spring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.neli.internal.election.Mode;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The {@code neli.*} properties. One that is {@code null} is not set, and has the default of
 * {@link io.neli.NeliBuilder}. Immutable.
 *
 * @param enabled Whether this application takes part in the election. If not, nothing connects to Kafka.
 * @param whenDisabled What becomes of calls to @LeaderOnly methods while 'neli.enabled' is false.
 * @param failFast Whether the start of the application waits for the election to run, for up to 30 seconds, and fails where
 *     it cannot. If not, it does not wait for Kafka.
 * @param groupId Contending group: among the members with the same group and topic at most one leads. Default is the value
 *     of 'spring.application.name'.
 * @param topic Leader topic. Default is the group with '.neli' behind it.
 * @param name Name of this member, for people. Default is host, process id and start time.
 * @param partitions Number of the topic's partitions that are units of leadership; the same on every member.
 * @param roles Roles that are led, in an order that places them on the partitions; the same list on every member. Default is
 *     none, which is the role 'default' alone.
 * @param mode What the group promises, the same on every member: never two leaders, or never none.
 * @param heartbeatInterval How often a leader writes to the leader topic; at most a quarter of the heartbeat timeout.
 * @param heartbeatTimeout Lease: how long a leader may lead without reading back what it wrote.
 * @param handoverTimeout How long running work may go on in a handover.
 * @param candidate Whether this member may lead. One that may not still knows who does.
 * @param takeover Whether a member takes over from a silent leader without waiting for the consumer group.
 * @param task Running work.
 * @param topicCreation Creation of a missing leader topic.
 * @param kafka Connection of the election's Kafka clients.
 */
@ConfigurationProperties("neli")
public record NeliProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("skip") WhenDisabled whenDisabled,
        @DefaultValue("false") boolean failFast,
        @Nullable String groupId,
        @Nullable String topic,
        @Nullable String name,
        @Nullable Integer partitions,
        @Nullable List<String> roles,
        @Nullable Mode mode,
        @Nullable Duration heartbeatInterval,
        @Nullable Duration heartbeatTimeout,
        @Nullable Duration handoverTimeout,
        @Nullable Boolean candidate,
        @Nullable Boolean takeover,
        @DefaultValue Task task,
        @DefaultValue TopicCreation topicCreation,
        @DefaultValue Kafka kafka) {

    /** Keeps a copy of the list. */
    public NeliProperties {
        roles = roles == null ? null : List.copyOf(roles);
    }

    /** What becomes of calls to {@code @LeaderOnly} methods in an application that takes no part. */
    public enum WhenDisabled {
        /** They are skipped, as on a standby. */
        SKIP,
        /** They run, as on a leader. */
        RUN
    }

    /**
     * Running work.
     *
     * @param interruptOnFence Whether a fence interrupts running @LeaderOnly methods and other gated work.
     * @param limit How long one @LeaderOnly call, other gated work or a listener may take before this member resigns because
     *     it hangs; at least the heartbeat interval. Default is no limit.
     */
    public record Task(@Nullable Boolean interruptOnFence, @Nullable Duration limit) {}

    /**
     * Creation of a missing leader topic.
     *
     * @param enabled Whether a missing leader topic is created.
     * @param replicationFactor Replication factor of a topic that is created. Default is three, or the number of brokers if
     *     that is less.
     * @param retention Retention of a topic that is created; at least an hour.
     */
    public record TopicCreation(
            @Nullable Boolean enabled, @Nullable Integer replicationFactor, @Nullable Duration retention) {}

    /**
     * Connection of the election's Kafka clients, where it differs from 'spring.kafka'.
     *
     * @param bootstrapServers Kafka brokers to connect to first, as host:port pairs. By default those of 'spring.kafka'
     *     or of the service connection.
     * @param properties Client properties of the election, laid over the common ones of 'spring.kafka'.
     */
    public record Kafka(@DefaultValue List<String> bootstrapServers, @DefaultValue Map<String, String> properties) {

        /** Keeps copies. */
        public Kafka {
            bootstrapServers = List.copyOf(bootstrapServers);
            properties = Map.copyOf(properties);
        }
    }
}
