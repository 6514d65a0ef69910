package io.neli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Collects the settings of a {@link FakeNeli}. Not for use by several threads at once. */
public final class FakeNeliBuilder {

    private String name = "fake";
    private int partitions = 1;
    private List<String> roles = List.of();
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

    /** How many units of leadership there are. Default 1. */
    public FakeNeliBuilder partitions(int partitions) {
        this.partitions = partitions;
        return this;
    }

    /** The roles that are led, placed on the partitions as {@link Neli} says. Default none, which is one role. */
    public FakeNeliBuilder roles(List<String> roles) {
        this.roles = new ArrayList<>(roles);
        return this;
    }

    /** {@link #roles(List)}, one by one. */
    public FakeNeliBuilder roles(String... roles) {
        return roles(List.of(roles));
    }

    /** Whether a fence interrupts running work. Default true. */
    public FakeNeliBuilder interruptOnFence(boolean interrupt) {
        this.interruptOnFence = interrupt;
        return this;
    }

    /** How long {@link FakeNeli#revoke()} and the like wait for work and listeners before they fail. Default 10 s. */
    public FakeNeliBuilder handoverTimeout(Duration timeout) {
        this.handoverTimeout = timeout;
        return this;
    }

    /** Adds a listener; they are called in the order in which they were added. */
    public FakeNeliBuilder listener(LeaderListener listener) {
        this.listeners.add(listener);
        return this;
    }

    /**
     * A fake that is not started yet.
     *
     * @throws NeliConfigurationException if a setting cannot work
     */
    public FakeNeli build() {
        SettingsCheck.name(name);
        SettingsCheck.partitions(partitions);
        Roles placed = new Roles(SettingsCheck.roles(roles, partitions), partitions);
        return new FakeNeli(
                name,
                leading,
                handoverTimeout,
                new ApplicationSettings(
                        placed, listeners, interruptOnFence, null, null, new GuardedMetrics(List.of())));
    }

    /** {@link #build()} and {@link FakeNeli#start()}. */
    public FakeNeli start() {
        FakeNeli neli = build();
        neli.start();
        return neli;
    }
}
