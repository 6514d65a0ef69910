package io.neli;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.neli.kafka.MemberSettings;
import io.neli.kafka.MemberSettings.TopicCreation;
import io.neli.protocol.Agreement;
import io.neli.protocol.ElectionSettings;
import io.neli.protocol.MemberId;
import io.neli.protocol.Mode;
import org.jspecify.annotations.Nullable;

/**
 * Collects the settings of a {@link Neli}. Durations and relations between them are checked by {@link #build()}. Not for
 * use by several threads at once.
 */
public final class NeliBuilder {

    private Map<String, Object> kafka = Map.of();
    private @Nullable String groupId;
    private @Nullable String topic;
    private @Nullable String name;
    private int partitions = 1;
    private List<String> roles = List.of();
    private Mode mode = Mode.EXCLUSIVE;
    private Duration heartbeatInterval = Duration.ofMillis(500);
    private Duration heartbeatTimeout = Duration.ofSeconds(3);
    private Duration handoverTimeout = Duration.ofSeconds(30);
    private boolean candidate = true;
    private boolean takeover = true;
    private boolean interruptOnFence = true;
    private @Nullable Duration workLimit;
    private @Nullable Duration failFast;
    private boolean topicCreation = true;
    private @Nullable Integer replicationFactor;
    private Duration retention = Duration.ofDays(1);
    private final List<LeaderListener> listeners = new ArrayList<>();
    private final List<NeliMetrics> metrics = new ArrayList<>();

    NeliBuilder() {}

    /**
     * How to reach Kafka: {@code bootstrap.servers}, security, and any other client property that the election does not
     * need for itself.
     */
    public NeliBuilder kafka(Map<String, ?> properties) {
        Map<String, Object> given = new HashMap<>();
        properties.forEach((property, value) -> {
            if (value != null) { // as good as not given
                given.put(property, value);
            }
        });
        this.kafka = Map.copyOf(given);
        return this;
    }

    /** The contending group: the consumer group, and the key of its records in the leader topic. Required. */
    public NeliBuilder groupId(String groupId) {
        this.groupId = groupId;
        return this;
    }

    /** The leader topic; by default the group id with {@code .neli} behind it. */
    public NeliBuilder topic(String topic) {
        this.topic = topic;
        return this;
    }

    /** This member's name, for people; by default host, process id and start time. */
    public NeliBuilder name(String name) {
        this.name = name;
        return this;
    }

    /** How many partitions of the topic are units of leadership; the same on every member. Default 1. */
    public NeliBuilder partitions(int partitions) {
        this.partitions = partitions;
        return this;
    }

    /**
     * The roles that are led, in an order that places them on the partitions ({@link Neli} says how); the same list on
     * every member. Default is none, which is {@link Neli#DEFAULT_ROLE} alone.
     */
    public NeliBuilder roles(List<String> roles) {
        this.roles = new ArrayList<>(roles);
        return this;
    }

    /** {@link #roles(List)}, one by one. */
    public NeliBuilder roles(String... roles) {
        return roles(List.of(roles));
    }

    /**
     * What the group promises, the same on every member: never two leaders ({@link Mode#EXCLUSIVE}, the default), or for
     * work that may be done twice but must not stop, never none while a member lives that can lead.
     */
    public NeliBuilder mode(Mode mode) {
        this.mode = mode;
        return this;
    }

    /** How often a leader writes to the log. Default 500 ms; at most a quarter of the heartbeat timeout. */
    public NeliBuilder heartbeatInterval(Duration interval) {
        this.heartbeatInterval = interval;
        return this;
    }

    /** The lease: how long a leader may lead without reading back what it wrote. Default 3 s. */
    public NeliBuilder heartbeatTimeout(Duration timeout) {
        this.heartbeatTimeout = timeout;
        return this;
    }

    /** How long work may go on in a handover. Default 30 s. */
    public NeliBuilder handoverTimeout(Duration timeout) {
        this.handoverTimeout = timeout;
        return this;
    }

    /** Whether this member may lead; one that may not still knows who does. Default true. */
    public NeliBuilder candidate(boolean candidate) {
        this.candidate = candidate;
        return this;
    }

    /**
     * Whether a member takes over from a silent leader without waiting for the consumer group. Default true. Without it only
     * the group's owner stands, also while work of a term that it was fenced in hangs and keeps it from leading again: set a
     * {@linkplain #workLimit limit} too, so that it resigns then.
     */
    public NeliBuilder takeover(boolean takeover) {
        this.takeover = takeover;
        return this;
    }

    /** Whether a fence interrupts the threads of {@linkplain Neli#beginWork() gated work}. Default true. */
    public NeliBuilder interruptOnFence(boolean interrupt) {
        this.interruptOnFence = interrupt;
        return this;
    }

    /**
     * How long one piece of {@linkplain Neli#beginWork() gated work}, one call of a {@linkplain Neli#background background
     * task} or one call of a listener may take. One that takes longer counts as hanging: it is logged with its stack, and
     * the member hands over all that it leads and stands back for ten leases. The role that hangs is led here again only
     * when the work has ended; while it is a listener that hangs, no role is. By default there is no limit.
     */
    public NeliBuilder workLimit(Duration limit) {
        this.workLimit = limit;
        return this;
    }

    /**
     * Lets {@link Neli#start()} wait until the leader topic is read and written, and fail where it cannot be. What may pass,
     * such as a broker that is not up yet, has this time to do so; what does not, such as a missing right, fails the start as
     * soon as it shows. By default a start waits for nothing and never fails.
     */
    public NeliBuilder failFast(Duration limit) {
        this.failFast = limit;
        return this;
    }

    /** Whether a missing leader topic is created. Default true. */
    public NeliBuilder topicCreation(boolean create) {
        this.topicCreation = create;
        return this;
    }

    /** The replication factor of a topic that is created; by default three, or the number of brokers if that is less. */
    public NeliBuilder replicationFactor(int factor) {
        this.replicationFactor = factor;
        return this;
    }

    /** The retention of a topic that is created. Default one day; at least an hour. */
    public NeliBuilder retention(Duration retention) {
        this.retention = retention;
        return this;
    }

    /** Adds a listener; they are called in the order in which they were added. */
    public NeliBuilder listener(LeaderListener listener) {
        this.listeners.add(listener);
        return this;
    }

    /** Adds a recipient of measurements; they are told in the order in which they were added. */
    public NeliBuilder metrics(NeliMetrics recipient) {
        this.metrics.add(recipient);
        return this;
    }

    /**
     * A member that is not started yet.
     *
     * @throws NeliConfigurationException if a setting cannot work
     */
    public Neli build() {
        String group = SettingsCheck.groupId(groupId);
        String memberName = SettingsCheck.name(name == null ? defaultName() : name);
        String leaderTopic = SettingsCheck.topic(topic == null ? group + ".neli" : topic);
        SettingsCheck.bootstrapServers(kafka.get("bootstrap.servers"));
        SettingsCheck.timing(heartbeatInterval, heartbeatTimeout, handoverTimeout);
        SettingsCheck.workLimit(workLimit, heartbeatInterval);
        SettingsCheck.failFast(failFast);
        SettingsCheck.partitions(partitions);
        Roles placed = new Roles(SettingsCheck.roles(roles, partitions), partitions);
        Agreement agreement = new Agreement(mode, partitions, placed.fingerprint());
        TopicCreation creation = new TopicCreation(
                topicCreation, SettingsCheck.replicationFactor(replicationFactor), SettingsCheck.retention(retention));
        ElectionSettings template = new ElectionSettings(
                new MemberId(memberName, new UUID(0, 0)),
                heartbeatTimeout,
                heartbeatInterval,
                handoverTimeout,
                takeover,
                agreement);
        MemberSettings settings = new MemberSettings(kafka, group, leaderTopic, candidate, creation, template);
        return new KafkaNeli(
                settings::withIncarnation,
                new ApplicationSettings(
                        placed, listeners, interruptOnFence, workLimit, failFast, new GuardedMetrics(metrics)));
    }

    private static String defaultName() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "localhost";
        }
        String time = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSSSSS").format(LocalDateTime.now(ZoneOffset.UTC));
        return host + "_" + ProcessHandle.current().pid() + "_" + time;
    }

    /** {@link #build()} and {@link Neli#start()}. */
    public Neli start() {
        Neli neli = build();
        neli.start();
        return neli;
    }
}
