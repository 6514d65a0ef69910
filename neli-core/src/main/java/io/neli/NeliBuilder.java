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
import io.neli.internal.member.GuardedMetrics;
import io.neli.internal.member.KafkaProvider;
import io.neli.internal.member.LogEngine;
import io.neli.internal.member.LogProvider;
import io.neli.internal.member.MemberName;
import io.neli.internal.member.MemberNeli;
import io.neli.internal.member.MemberSettings;
import io.neli.internal.member.Roles;
import io.neli.internal.member.SettingsCheck;
import org.jspecify.annotations.Nullable;

/** Collects the settings of a {@link Neli}, which {@link #build()} checks. Not for use by several threads at once. */
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

    /** For {@link Leadership#current()}, because the API uses internal packages from here only. */
    static Optional<Leadership> currentLeadership() {
        return CurrentWork.leadership();
    }

    /**
     * How to reach Kafka: {@code bootstrap.servers}, security, other client properties. Those that are null are left
     * out.
     */
    public NeliBuilder kafka(Map<String, ?> properties) {
        Map<String, Object> given = new HashMap<>(properties);
        given.values().removeIf(Objects::isNull);
        given.computeIfPresent(
                "bootstrap.servers",
                (name, servers) -> servers instanceof Collection<?> several
                        ? several.stream()
                                .map(String::valueOf)
                                .collect(Collectors.joining(",")) // as commands want them
                        : servers);
        this.kafka = Map.copyOf(given);
        return this;
    }

    /**
     * Not for applications: Neli's own modules, such as {@code neli-nats}, say here where the group's logs are, if not
     * on Kafka. {@link LogProvider} is internal, and another release may change it at any time.
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

    /** This member's name, for people; by default host, process id and start time. */
    public NeliBuilder name(String name) {
        this.name = name;
        return this;
    }

    /**
     * How many units of leadership there are; where it is given, it and the {@linkplain #roles roles} are the same on
     * every member. By default one for each role, at least 1; then roles can be added member by member.
     */
    public NeliBuilder partitions(int partitions) {
        this.partitions = partitions;
        return this;
    }

    /**
     * The roles that are led, in the same order on every member; without a given number of {@link #partitions} some
     * members may know more of them, at the end. By default none, which is {@link Neli#DEFAULT_ROLE} alone.
     */
    public NeliBuilder roles(List<String> roles) {
        this.roles = new ArrayList<>(roles);
        return this;
    }

    /** {@link #roles(List)}, one by one. */
    public NeliBuilder roles(String... roles) {
        return roles(List.of(roles));
    }

    /** What the group promises, the same on every member. Default {@link Mode#EXCLUSIVE}. */
    public NeliBuilder mode(Mode mode) {
        this.mode = mode;
        return this;
    }

    /**
     * On how many logs each unit of leadership lies, the same on every member: 1, 3 or 5. Default 1, a single log with
     * replicas, whose leader is fenced when a broker with one of them crashes, unless the lease is longer than the
     * brokers need to notice that. With 3, there are three topics with one replica each, on three brokers (the
     * {@linkplain #topic leader topic}, and two whose names end in {@code .1} and {@code .2}): a member leads while it
     * holds two of the three logs, so that the crash of one broker changes nothing. With 5, that of two.
     */
    public NeliBuilder quorum(int quorum) {
        this.quorum = quorum;
        return this;
    }

    /**
     * How long a leader may lead without reading back what it wrote. Default 3 s; at least four heartbeat intervals.
     */
    public NeliBuilder leaseDuration(Duration duration) {
        this.leaseDuration = duration;
        return this;
    }

    /** How often a leader writes to the log. Default 500 ms; at most a quarter of the lease. */
    public NeliBuilder heartbeatInterval(Duration interval) {
        this.heartbeatInterval = interval;
        return this;
    }

    /** How long work may go on in a handover. Default 20 s. */
    public NeliBuilder handoverTimeout(Duration timeout) {
        this.handoverTimeout = timeout;
        return this;
    }

    /**
     * Whether this member may lead; one that may not still knows who does. Default true; {@link Neli#candidate} changes
     * it.
     */
    public NeliBuilder candidate(boolean candidate) {
        this.candidate = candidate;
        return this;
    }

    /**
     * This member's priority; any integer. Default 0. Of the eligible members, those with the highest priority lead,
     * evenly spread among them; one that joins later takes over by handovers. Any eligible member takes over after a
     * crash, and hands over to one of a higher priority as soon as the group has assigned the partitions again.
     */
    public NeliBuilder priority(int priority) {
        this.priority = priority;
        return this;
    }

    /**
     * What the others learn of this member while it leads, from {@link Leader#metadata()}: for example its URL. Default
     * nothing. Anyone who can read the leader topic can read it. Keys consist of letters, digits, '.', '_' and '-';
     * keys and values have at most 256 bytes together, in UTF-8.
     */
    public NeliBuilder metadata(Map<String, String> metadata) {
        this.metadata = new HashMap<>(metadata);
        return this;
    }

    /**
     * Whether a fence interrupts the threads of {@linkplain Neli#beginWork() work}, and calls what {@linkplain
     * LeaderWork#detach detached} work asked for. Default true.
     */
    public NeliBuilder interruptOnFence(boolean interrupt) {
        this.interruptOnFence = interrupt;
        return this;
    }

    /**
     * How long one piece of {@linkplain Neli#beginWork() work}, one call of a {@linkplain Neli#background background
     * task} or one call of a listener may take. One that takes longer is logged with its stack, and the member hands
     * over all that it leads and is not eligible for ten leases. It leads the role of that work again only when the
     * work has ended; while a listener runs on, it leads no role. By default there is no limit.
     */
    public NeliBuilder workLimit(Duration limit) {
        this.workLimit = limit;
        return this;
    }

    /**
     * After how long one piece of {@linkplain Neli#beginWork() work} is logged with its stack. It continues, and the
     * member keeps leading. Shorter than the {@linkplain #workLimit limit}, if there is one. By default nothing is
     * logged.
     */
    public NeliBuilder workWarnAfter(Duration time) {
        this.warnAfter = time;
        return this;
    }

    /**
     * Makes {@link Neli#start()} wait until the leader topic is read and written, and fail where it cannot be. A
     * problem that may pass, such as a broker that is not up yet, has this long to pass; one that will not, such as a
     * missing right, fails the start as soon as it is found. By default a start does not wait and never fails.
     */
    public NeliBuilder failFast(Duration limit) {
        this.failFast = limit;
        return this;
    }

    /** Whether a missing leader topic is created. Default true. */
    public NeliBuilder createTopic(boolean create) {
        this.createTopic = create;
        return this;
    }

    /**
     * The replication factor of a topic that is created; by default three, or the number of brokers if that is less.
     * Not to be set where the {@linkplain #quorum quorum} is more than 1.
     */
    public NeliBuilder replicationFactor(int factor) {
        this.replicationFactor = factor;
        return this;
    }

    /**
     * The retention of a topic that is created. Default one day; at least an hour. Has no effect where the {@linkplain
     * #quorum quorum} is more than 1: such topics keep the last 64 MiB of each partition.
     */
    public NeliBuilder retention(Duration retention) {
        this.retention = retention;
        return this;
    }

    /** Adds a listener; listeners are called in the order in which they were added. */
    public NeliBuilder listener(LeaderListener listener) {
        this.listeners.add(listener);
        return this;
    }

    /** Adds a recipient of measurements; recipients are called in the order in which they were added. */
    public NeliBuilder metrics(NeliMetrics recipient) {
        this.metrics.add(recipient);
        return this;
    }

    /**
     * A member that is not started yet.
     *
     * @throws NeliException if a setting cannot work
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
                new GuardedMetrics(metrics),
                SettingsCheck.workLimit(workLimit, heartbeatInterval));
        return new MemberNeli(settings, LogEngine.factory(settings, logs, creation));
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
            NeliMetrics measured,
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
     * A started member that takes no part in an election, for applications that run without one: it connects to
     * nothing, leads all roles in one term or none at all, notifies no listener and calls no background task. No
     * setting is required.
     *
     * @param leading whether it leads
     * @throws NeliException if a role cannot work
     */
    public Neli buildDisabled(boolean leading) {
        String group = groupId == null || groupId.isBlank() ? DISABLED : groupId;
        MemberSettings settings = settings(DISABLED, group, DISABLED, List.of(), new GuardedMetrics(List.of()), null);
        Neli neli = new MemberNeli(settings, events -> new DisabledEngine(settings, leading, events));
        neli.start();
        return neli;
    }
}
