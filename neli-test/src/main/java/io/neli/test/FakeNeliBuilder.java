package io.neli.test;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.neli.LeaderListener;
import io.neli.Mode;
import io.neli.NeliException;
import io.neli.internal.member.MemberName;
import io.neli.internal.member.MemberSettings;
import io.neli.internal.member.Roles;
import io.neli.internal.member.SettingsCheck;
import io.neli.internal.shell.MetricsReporter;
import org.jspecify.annotations.Nullable;

/** Collects the settings of a {@link FakeNeli}. Not for use by several threads at once. */
public final class FakeNeliBuilder {

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(100);

    private String name = "fake";
    private @Nullable Integer partitions;
    private List<String> roles = List.of();
    private Map<String, String> metadata = Map.of();
    private Map<String, String> othersMetadata = Map.of();
    private boolean leading;
    private boolean interruptOnFence = true;
    private Duration handoverTimeout = Duration.ofSeconds(10);
    private final List<LeaderListener> listeners = new ArrayList<>();

    FakeNeliBuilder() {}

    /** Whether it leads all its roles from each start on. Default false. */
    public FakeNeliBuilder leading(boolean leading) {
        this.leading = leading;
        return this;
    }

    /** This member's name. Default {@code fake}. */
    public FakeNeliBuilder name(String name) {
        this.name = name;
        return this;
    }

    /** How many units of leadership there are. By default as many as there are roles, at least 1. */
    public FakeNeliBuilder partitions(int partitions) {
        this.partitions = partitions;
        return this;
    }

    /** The roles of the election, which map to partitions as {@link io.neli.Neli} describes. Default none: one role. */
    public FakeNeliBuilder roles(List<String> roles) {
        this.roles = new ArrayList<>(roles);
        return this;
    }

    /** {@link #roles(List)}, one by one. */
    public FakeNeliBuilder roles(String... roles) {
        return roles(List.of(roles));
    }

    /** What {@link io.neli.Leader#metadata()} returns while this member leads. Default nothing. */
    public FakeNeliBuilder metadata(Map<String, String> metadata) {
        this.metadata = new HashMap<>(metadata);
        return this;
    }

    /** What {@link io.neli.Leader#metadata()} returns while the other member leads. Default nothing. */
    public FakeNeliBuilder otherMetadata(Map<String, String> metadata) {
        this.othersMetadata = new HashMap<>(metadata);
        return this;
    }

    /** Whether a fence interrupts running work. Default true. */
    public FakeNeliBuilder interruptOnFence(boolean interrupt) {
        this.interruptOnFence = interrupt;
        return this;
    }

    /** How long {@link FakeNeli#revoke()} and the like wait for work and listeners before they fail. Default 10 s. */
    public FakeNeliBuilder handoverTimeout(Duration timeout) {
        this.handoverTimeout = Objects.requireNonNull(timeout, "timeout");
        return this;
    }

    /** Adds a listener; listeners are called in the order in which they were added. */
    public FakeNeliBuilder listener(LeaderListener listener) {
        this.listeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /**
     * Builds a fake that is not started yet.
     *
     * @throws NeliException if a setting is invalid
     */
    public FakeNeli build() {
        MemberSettings settings = new MemberSettings(
                MemberName.checked(name),
                name,
                name + ".neli",
                1,
                true,
                0,
                Roles.checked(roles, partitions),
                SettingsCheck.metadata(metadata),
                Mode.EXCLUSIVE,
                LEASE,
                PAUSE_AFTER_FAILURE,
                SettingsCheck.handoverTimeout(handoverTimeout),
                listeners,
                new MetricsReporter(List.of()),
                interruptOnFence,
                null,
                null,
                null);
        return new FakeNeli(new FakeEngine.Factory(
                settings,
                leading,
                SettingsCheck.metadata(othersMetadata),
                new AtomicLong(),
                new ConcurrentHashMap<>(),
                new AtomicReference<>(InstantSource.system().instant())));
    }

    /** Builds a fake and {@linkplain FakeNeli#start() starts} it. */
    public FakeNeli start() {
        FakeNeli neli = build();
        neli.start();
        return neli;
    }
}
