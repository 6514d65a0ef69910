package io.neli.spring.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

import io.neli.Mode;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * The {@code neli.*} properties. A property that is {@code null} is not set, and has the default of {@link
 * io.neli.NeliBuilder}. A duration without a unit is in seconds.
 *
 * @param enabled Whether this application takes part in the election. If not, nothing connects to Kafka or NATS.
 * @param whenDisabled Whether @LeaderOnly calls and @StartWhenLeading beans run while 'neli.enabled' is false.
 * @param groupId Contending group: among its members at most one leads a role. Default is the value of
 *     'spring.application.name'.
 * @param name Name of this member, for people. Default is host, process id and start time.
 * @param candidate Whether this member may lead. If not, it is an observer, which still knows who leads.
 * @param requireReadiness Whether this member may lead only while the application's readiness state is to accept
 *     traffic.
 * @param priority Priority, any integer. Of the eligible members, those with the highest priority lead.
 * @param roles Roles, in the same order on every member; new ones are added at the end, member by member. Default is
 *     'default' alone.
 * @param partitions Number of units of leadership over which the roles are spread. If set, it and the roles must be the
 *     same on every member. Default is the number of roles.
 * @param metadata Data about this member that the others can read while it leads, such as its URL: keys and values of
 *     at most 256 bytes together.
 * @param quorum Number of logs of each unit of leadership, each a topic with one replica: 1, 3 or 5; the same on every
 *     member. With 3, leadership survives a broker crash. On NATS always 1.
 * @param mode What the group promises; the same on every member.
 * @param leaseDuration How long a leader may lead without reading back what it wrote.
 * @param heartbeatInterval How often a leader writes to the leader topic; at most a quarter of the lease.
 * @param handoverTimeout How long running work may continue in a handover.
 * @param failFast How long start-up waits for the election to run before it fails. Default is not to wait.
 * @param work Work that only the leader does.
 * @param topic Leader topic; on NATS, the stream.
 * @param kafka Connection of the election's Kafka clients.
 * @param nats Connection of the election to NATS instead of Kafka.
 */
@ConfigurationProperties("neli")
record NeliProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("skip") WhenDisabled whenDisabled,
        @Nullable String groupId,
        @Nullable String name,
        @Nullable Boolean candidate,
        @DefaultValue("false") boolean requireReadiness,
        @Nullable Integer priority,
        @Nullable List<String> roles,
        @Nullable Integer partitions,
        @DefaultValue Map<String, String> metadata,
        @Nullable Integer quorum,
        @Nullable Mode mode,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration leaseDuration,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration heartbeatInterval,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration handoverTimeout,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration failFast,
        @DefaultValue Work work,
        @DefaultValue Topic topic,
        @DefaultValue Kafka kafka,
        @DefaultValue Nats nats) {

    /** Whether work runs in an application that takes no part in the election. */
    enum WhenDisabled {
        /** It is skipped, as on a standby. */
        SKIP,
        /** It runs, as on a leader. */
        RUN
    }

    /**
     * Work that only the leader does.
     *
     * @param limit How long one @LeaderOnly call, other work or a listener may take before this member resigns; at
     *     least the heartbeat interval. Default is no limit.
     * @param warnAfter After how long one @LeaderOnly call or other work is logged with its stack; shorter than the
     *     limit. Default is never.
     * @param interruptOnFence Whether a fence interrupts running work, and notifies detached work.
     */
    record Work(
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration limit,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration warnAfter,
            @Nullable Boolean interruptOnFence) {}

    /**
     * Leader topic; on NATS, the stream.
     *
     * @param name Name of the leader topic or, on NATS, of the stream. Default is the group id followed by '.neli', on
     *     NATS the group id alone.
     * @param create Whether a missing leader topic is created.
     * @param replicationFactor Replication factor of a topic that is created. Default is three, or the number of
     *     brokers if that is less; on NATS three, or one on a single server.
     * @param retention Retention of a topic that is created; at least an hour. Has no effect if 'neli.quorum' is more
     *     than 1.
     */
    record Topic(
            @Nullable String name,
            @Nullable Boolean create,
            @Nullable Integer replicationFactor,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration retention) {}

    /**
     * Connection of the election's Kafka clients, where it differs from 'spring.kafka'.
     *
     * @param bootstrapServers Kafka brokers to connect to first, as host:port pairs. By default those of
     *     'spring.kafka'. A service connection wins.
     * @param security Security of the connection.
     * @param ssl TLS of the connection.
     * @param properties Client properties of the election, which override the common ones of 'spring.kafka'.
     */
    record Kafka(
            @DefaultValue List<String> bootstrapServers,
            @DefaultValue Security security,
            @DefaultValue Kafka.Ssl ssl,
            @DefaultValue Map<String, String> properties) {

        /** @param protocol Security protocol of the election, such as SASL_SSL. By default that of 'spring.kafka'. */
        record Security(@Nullable String protocol) {}

        /**
         * @param bundle SSL bundle, instead of bundle and stores of 'spring.kafka'. Only for protocols SSL and
         *     SASL_SSL.
         */
        record Ssl(@Nullable String bundle) {}

        /** Omits the values of client properties, which may be passwords. */
        @Override
        public String toString() {
            return "Kafka[bootstrapServers=" + bootstrapServers + ", security=" + security + ", ssl=" + ssl
                    + ", properties=" + properties.keySet() + "]";
        }
    }

    /**
     * Connection of the election to NATS instead of Kafka.
     *
     * @param servers NATS servers of one cluster, such as nats://host:4222; the same cluster for every member. If set,
     *     the election is on NATS, and needs the module io.neli:neli-nats.
     * @param credentials File with the credentials (.creds) of this application's user.
     * @param username Name of this application's user, if the servers ask for name and password.
     * @param password Password of this application's user.
     * @param token Token of this application, if the servers ask for one.
     * @param ssl TLS of the connection.
     */
    record Nats(
            @Nullable List<String> servers,
            @Nullable Path credentials,
            @Nullable String username,
            @Nullable String password,
            @Nullable String token,
            @DefaultValue Nats.Ssl ssl) {

        /** @param bundle SSL bundle. If set, the connection is encrypted whatever the servers' addresses begin with. */
        record Ssl(@Nullable String bundle) {}

        /** Omits secrets, and the servers, whose addresses may contain a password. */
        @Override
        public String toString() {
            return "Nats[credentials=" + credentials + ", username=" + username + ", ssl=" + ssl + "]";
        }
    }
}
