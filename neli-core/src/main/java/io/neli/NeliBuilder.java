package io.neli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

import io.neli.internal.member.CurrentWork;
import io.neli.internal.member.DisabledEngine;
import io.neli.internal.member.KafkaProvider;
import io.neli.internal.member.LogEngine;
import io.neli.internal.member.LogProvider;
import io.neli.internal.member.MemberName;
import io.neli.internal.member.MemberNeli;
import io.neli.internal.member.MemberSettings;
import io.neli.internal.member.Roles;
import io.neli.internal.member.SettingsCheck;
import io.neli.internal.shell.MetricsReporter;
import org.jspecify.annotations.Nullable;

/** Collects the settings of a {@link Neli}; {@link #build()} checks them. Not thread-safe. */
public final class NeliBuilder {

    private static final String DISABLED = "disabled";

    private @Nullable LogProvider provider;
    private Map<String, Object> kafka = Map.of();
    private @Nullable String groupId;
    private @Nullable String topic;
    private @Nullable String name;
    private @Nullable Integer partitions;
    private List<String> roles = List.of();
    private Mode mode = Mode.EXCLUSIVE;
    private Duration leaseDuration = Duration.ofSeconds(3);
    private Duration heartbeatInterval = Duration.ofMillis(500);
    private Duration handoverTimeout = Duration.ofSeconds(20);
    private boolean candidate = true;
    private int priority;
    private Map<String, String> metadata = Map.of();
    private boolean interruptOnFence = true;
    private @Nullable Duration workLimit;
    private @Nullable Duration warnAfter;
    private @Nullable Duration failFast;
    private boolean createTopic = true;
    private @Nullable Integer replicationFactor;
    private Duration retention = Duration.ofDays(1);
    private int quorum = 1;
    private final List<LeaderListener> listeners = new ArrayList<>();
    private final List<NeliMetrics> metrics = new ArrayList<>();

    NeliBuilder() {}

    /** For {@link Leadership#current()}: only this class of the API uses internal packages. */
    static Optional<Leadership> currentLeadership() {
        return CurrentWork.leadership();
    }

    /**
     * How to reach Kafka: {@code bootstrap.servers}, security, other client properties. Properties with null values are
     * ignored.
     */
    public NeliBuilder kafka(Map<String, ?> properties) {
        Map<String, Object> given = new HashMap<>(properties);
        given.values().removeIf(Objects::isNull);
        given.computeIfPresent(
                "bootstrap.servers",
                (name, servers) -> servers instanceof Collection<?> several
                        ? several.stream()
                                .map(String::valueOf)
                                .collect(Collectors.joining(",")) // the form that Kafka's commands accept
                        : servers);
        this.kafka = Map.copyOf(given);
        return this;
    }

    /**
     * Not for applications. Neli's own modules, such as {@code neli-nats}, use this to keep the group's logs elsewhere
     * than on Kafka. {@link LogProvider} is internal, and another release may change it at any time.
     */
    public NeliBuilder logs(LogProvider otherThanKafka) {
        this.provider = otherThanKafka;
        return this;
    }

    /** The contending group. Required. Kafka's consumer group is the group id followed by {@code .neli}. */
    public NeliBuilder groupId(String groupId) {
        this.groupId = groupId;
        return this;
    }

    /** The leader topic; by default the group id followed by {@code .neli}. */
    public NeliBuilder topic(String topic) {
        this.topic = topic;
        return this;
    }

    /** This member's name, for display, of at most 249 bytes; by default host, process id and start time. */
    public NeliBuilder name(String name) {
        this.name = name;
        return this;
    }

    /**
     * The number of partitions, the units of leadership. If set, it and the {@linkplain #roles roles} must be the same
     * on every member. By default there is one for each role, at least 1, and roles can be added member by member.
     */
    public NeliBuilder partitions(int partitions) {
        this.partitions = partitions;
        return this;
    }

    /**
     * The roles that are led, in the same order on every member. If {@link #partitions} is not set, some members may
     * list more roles at the end. By default no role is listed, and {@link Neli#DEFAULT_ROLE} is the only one.
     */
    public NeliBuilder roles(List<String> roles) {
        this.roles = new ArrayList<>(roles);
        return this;
    }

    /** {@link #roles(List)}, one by one. */
    public NeliBuilder roles(String... roles) {
        return roles(List.of(roles));
    }

    /** What the group promises; must be the same on every member. Default {@link Mode#EXCLUSIVE}. */
    public NeliBuilder mode(Mode mode) {
        this.mode = Objects.requireNonNull(mode, "mode");
        return this;
    }

    /**
     * The number of logs of each partition: 1, 3 or 5, the same on every member. With 1, the default, there is a single
     * log with replicas. When a broker with one of them crashes, the leader is fenced, unless the lease is longer than
     * the brokers need to notice the crash. With 3, there are three topics with one replica each, on three brokers: the
     * {@linkplain #topic leader topic}, and two whose names end in {@code .1} and {@code .2}. A member leads while it
     * holds two of the three logs, so the crash of one broker changes nothing. With 5, two brokers may crash.
     */
    public NeliBuilder quorum(int quorum) {
        this.quorum = quorum;
        return this;
    }

    /**
     * How long a leader may lead without reading back what it wrote. Default 3 s; 4 heartbeat intervals to 10 minutes.
     */
    public NeliBuilder leaseDuration(Duration duration) {
        this.leaseDuration = Objects.requireNonNull(duration, "duration");
        return this;
    }

    /** How often a leader writes to the log. Default 500 ms; 5 ms to a quarter of the lease. */
    public NeliBuilder heartbeatInterval(Duration interval) {
        this.heartbeatInterval = Objects.requireNonNull(interval, "interval");
        return this;
    }

    /** How long work may continue during a handover. Default 20 s; 100 ms to a day. */
    public NeliBuilder handoverTimeout(Duration timeout) {
        this.handoverTimeout = Objects.requireNonNull(timeout, "timeout");
        return this;
    }

    /**
     * Whether this member may lead. If not, it still knows who does. Default true; {@link Neli#candidate} changes it.
     */
    public NeliBuilder candidate(boolean candidate) {
        this.candidate = candidate;
        return this;
    }

    /**
     * This member's priority; any integer. Default 0. The eligible members with the highest priority lead, with roles
     * spread evenly among them. If such a member joins later, others hand over to it. After a crash, any eligible
     * member takes over; it hands over to one of a higher priority as soon as the group has assigned the partitions
     * again.
     */
    public NeliBuilder priority(int priority) {
        this.priority = priority;
        return this;
    }

    /**
     * What the other members learn about this one while it leads, from {@link Leader#metadata()}: for example its URL.
     * Default empty. Anyone who can read the leader topic can read it. Keys consist of letters, digits, '.', '_' and
     * '-'; keys and values have at most 256 bytes together, in UTF-8.
     */
    public NeliBuilder metadata(Map<String, String> metadata) {
        this.metadata = new HashMap<>(metadata);
        return this;
    }

    /**
     * Whether a fence interrupts the threads of {@linkplain Neli#beginWork() work}, and calls the callbacks of
     * {@linkplain LeaderWork#detach detached} work. Default true.
     */
    public NeliBuilder interruptOnFence(boolean interrupt) {
        this.interruptOnFence = interrupt;
        return this;
    }

    /**
     * How long one piece of {@linkplain Neli#beginWork() work}, one call of a {@linkplain Neli#background background
     * task} or one call of a listener may take. If one takes longer, its stack is logged, and the member hands over all
     * that it leads and is not eligible for ten leases. It leads the role of that work again only when the work has
     * ended. While a listener has not returned, it leads no role. Default none; at least the heartbeat interval.
     */
    public NeliBuilder workLimit(Duration limit) {
        this.workLimit = limit;
        return this;
    }

    /**
     * After how long one piece of {@linkplain Neli#beginWork() work} is logged with its stack. It continues, and the
     * member keeps leading. Must be shorter than the {@linkplain #workLimit limit}, if there is one. By default nothing
     * is logged.
     */
    public NeliBuilder workWarnAfter(Duration time) {
        this.warnAfter = time;
        return this;
    }

    /**
     * Makes {@link Neli#start()} wait until the leader topic can be read and written, and fail if it cannot. A problem
     * that may pass, such as a broker that is not up yet, fails the start after this time. Any other, such as a missing
     * right, fails the start as soon as it is found. By default a start neither waits for Kafka nor fails because of
     * it.
     */
    public NeliBuilder failFast(Duration limit) {
        this.failFast = limit;
        return this;
    }

    /** Whether to create a missing leader topic. Default true. */
    public NeliBuilder createTopic(boolean create) {
        this.createTopic = create;
        return this;
    }

    /**
     * The replication factor of a topic that Neli creates; by default three, or the number of brokers if that is less.
     * Must not be set if the {@linkplain #quorum quorum} is more than 1.
     */
    public NeliBuilder replicationFactor(int factor) {
        this.replicationFactor = factor;
        return this;
    }

    /**
     * The retention of a topic that Neli creates. Default one day; at least an hour. Has no effect if the {@linkplain
     * #quorum quorum} is more than 1: those topics keep the last 64 MiB of each partition.
     */
    public NeliBuilder retention(Duration retention) {
        this.retention = Objects.requireNonNull(retention, "retention");
        return this;
    }

    /** Adds a listener; listeners are called in the order in which they were added. */
    public NeliBuilder listener(LeaderListener listener) {
        this.listeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /** Adds a recipient of measurements; recipients are called in the order in which they were added. */
    public NeliBuilder metrics(NeliMetrics recipient) {
        this.metrics.add(Objects.requireNonNull(recipient, "recipient"));
        return this;
    }

    /**
     * Creates a member that is not started yet.
     *
     * @throws NeliException if a setting is invalid
     */
    public Neli build() {
        String group = SettingsCheck.groupId(groupId);
        SettingsCheck.timing(heartbeatInterval, leaseDuration, handoverTimeout);
        LogProvider logs = provider();
        String leaderTopic = topic == null ? logs.defaultTopic(group) : topic;
        LogProvider.Creation creation = new LogProvider.Creation(
                createTopic, SettingsCheck.replicationFactor(replicationFactor), SettingsCheck.retention(retention));
        logs.check(leaderTopic, topic == null ? group : null, quorum, creation);
        MemberSettings settings = settings(
                MemberName.checked(name),
                group,
                leaderTopic,
                listeners,
                new MetricsReporter(metrics),
                SettingsCheck.workLimit(workLimit, heartbeatInterval));
        logs.checkClient(settings.shell());
        return new MemberNeli(settings, new LogEngine.Factory(settings, logs, creation));
    }

    private LogProvider provider() {
        if (provider == null) {
            return new KafkaProvider(kafka);
        }
        SettingsCheck.noKafka(kafka.get("bootstrap.servers"));
        return provider;
    }

    private MemberSettings settings(
            String member,
            String group,
            String leaderTopic,
            List<LeaderListener> notified,
            MetricsReporter measured,
            @Nullable Duration longest) {
        return new MemberSettings(
                member,
                group,
                leaderTopic,
                quorum,
                candidate,
                priority,
                Roles.checked(roles, partitions),
                SettingsCheck.metadata(metadata),
                mode,
                leaseDuration,
                heartbeatInterval,
                handoverTimeout,
                notified,
                measured,
                interruptOnFence,
                longest,
                SettingsCheck.warnAfter(warnAfter, longest),
                SettingsCheck.failFast(failFast));
    }

    /** {@link #build()} and {@link Neli#start()}. */
    public Neli start() {
        Neli neli = build();
        neli.start();
        return neli;
    }

    /**
     * Creates and starts a member without an election, for applications that run without one. It connects to nothing,
     * leads all roles in one term or none at all, notifies no listener and calls no background task. No setting is
     * required.
     *
     * @param leading whether it leads
     * @throws NeliException if a setting is invalid
     */
    public Neli startDisabled(boolean leading) {
        String group = groupId == null || groupId.isBlank() ? DISABLED : groupId;
        MemberSettings settings = settings(DISABLED, group, DISABLED, List.of(), new MetricsReporter(List.of()), null);
        Neli neli = new MemberNeli(settings, events -> new DisabledEngine(settings, leading, events));
        neli.start();
        return neli;
    }
}
