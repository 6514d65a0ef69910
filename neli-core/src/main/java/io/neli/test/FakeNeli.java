package io.neli.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.LeaderListener;
import io.neli.Mode;
import io.neli.NeliException;
import io.neli.NeliMetrics;
import io.neli.internal.member.Member;
import io.neli.internal.member.MemberNeli;
import io.neli.internal.member.MemberSettings;
import io.neli.internal.member.Roles;
import io.neli.internal.member.SettingsCheck;
import org.jspecify.annotations.Nullable;

/**
 * A member for tests, without Kafka: it leads when the test says so. Everything else is the real member: work, events on a
 * thread of their own, tokens that grow.
 *
 * <pre>{@code
 * FakeNeli neli = FakeNeli.leading();
 * Billing billing = new Billing(neli);
 * billing.settle();                       // runs
 * neli.fence();                           // its listeners have returned
 * billing.settle();                       // is skipped
 * }</pre>
 *
 * <p>It is one of two members. Where it does not lead, the other one does, which is named {@value #OTHER}. Nothing happens by
 * itself: no lease ends, a handover takes as long as the work in it, and after {@link #resign}, {@link #pause} or a
 * {@link LeaderAcquired} listener that throws, it leads again when the test calls {@link #acquire()}.
 *
 * <p>{@link #acquire()}, {@link #revoke()} and {@link #fence()} return when the listeners have returned. They throw an
 * {@link IllegalStateException} where the step is impossible or where listeners or work take longer than
 * {@link Builder#handoverTimeout}; they cannot be called from either. All methods may be called from any thread.
 */
public final class FakeNeli extends MemberNeli {

    /** The name of the member that leads where this one does not. */
    public static final String OTHER = "other";

    private final MemberSettings settings;
    private final boolean leadsFromStart;
    private final AtomicReference<@Nullable Throwable> failure;

    private FakeNeli(MemberSettings settings, boolean leadsFromStart, AtomicReference<@Nullable Throwable> failure) {
        this(settings, leadsFromStart, failure, new AtomicLong());
    }

    private FakeNeli(
            MemberSettings settings,
            boolean leadsFromStart,
            AtomicReference<@Nullable Throwable> failure,
            AtomicLong tokens) {
        super(settings, events -> new FakeEngine(settings, leadsFromStart, tokens, events));
        this.settings = settings;
        this.leadsFromStart = leadsFromStart;
        this.failure = failure;
    }

    /** A builder with the default of every setting. */
    public static Builder builder() {
        return new Builder();
    }

    /** A member that leads. */
    public static FakeNeli leading() {
        return builder().leading(true).start();
    }

    /** A member that does not lead. */
    public static FakeNeli standby() {
        return builder().start();
    }

    /** Also leads, and returns when the listeners have prepared, if it was {@linkplain Builder#leading built} so. */
    @Override
    public void start() {
        boolean starts = running().isEmpty();
        super.start();
        if (starts && leadsFromStart) {
            awaitPrepared(engine().units());
        }
    }

    /** Leads all that it does not lead yet. */
    public void acquire() {
        acquire(engine().units());
    }

    /** {@link #acquire()} of a role, and of those that share its partition. */
    public void acquire(String role) {
        acquire(unitOf(role));
    }

    /** Hands all that it leads over to the other member. Returns when running work has ended, too. */
    public void revoke() {
        revoke(engine().units(), RevokeReason.HANDOVER);
    }

    /** {@link #revoke()} of a role, and of those that share its partition. */
    public void revoke(String role) {
        revoke(role, RevokeReason.HANDOVER);
    }

    /** {@link #revoke(String)} for a reason. */
    public void revoke(String role, RevokeReason reason) {
        revoke(unitOf(role), reason);
    }

    /**
     * Takes away all that it leads or is handing over, as from a member that was stopped for too long: running work is
     * interrupted, and continues beyond the return if it ignores that.
     */
    public void fence() {
        fence(engine().units(), FenceReason.LEASE_EXPIRED);
    }

    /** {@link #fence()} of a role, and of those that share its partition. */
    public void fence(String role) {
        fence(role, FenceReason.LEASE_EXPIRED);
    }

    /** {@link #fence(String)} for a reason. */
    public void fence(String role, FenceReason reason) {
        fence(unitOf(role), reason);
    }

    /**
     * Returns it to the state in which it was built: started, not paused, and leading all or nothing. Does nothing where it is in
     * that state.
     */
    public void reset() {
        start();
        resume();
        FakeEngine engine = engine();
        if (!leadsFromStart) {
            engine.handOver(engine.units(), RevokeReason.HANDOVER);
        } else if (!engine.units().stream().allMatch(FakeEngine.Unit::isLed)) {
            acquire();
        }
    }

    private Member member() {
        return running().orElseThrow(MemberNeli::notStarted);
    }

    private FakeEngine engine() {
        return (FakeEngine) member().engine();
    }

    private List<FakeEngine.Unit> unitOf(String role) {
        return List.of(engine().unit(partitionOf(role)));
    }

    private void acquire(List<FakeEngine.Unit> chosen) {
        List<FakeEngine.Unit> wanted = those(chosen, unit -> !unit.isLed(), "acquire() of what is led already");
        if (engine().isPaused()) {
            throw new IllegalStateException("acquire() on a member that is paused: call resume() first");
        }
        wanted.forEach(FakeEngine.Unit::awaitEnd);
        failure.set(null);
        wanted.forEach(FakeEngine.Unit::acquire);
        awaitPrepared(wanted);
    }

    private void awaitPrepared(List<FakeEngine.Unit> acquired) {
        awaitNotified();
        Throwable failed = failure.getAndSet(null);
        if (failed != null) {
            acquired.forEach(FakeEngine.Unit::awaitEnd);
            throw new IllegalStateException("a listener failed on LeaderAcquired, so this member has resigned", failed);
        }
    }

    private void revoke(List<FakeEngine.Unit> chosen, RevokeReason reason) {
        engine().handOver(those(chosen, FakeEngine.Unit::isLed, "revoke() of what is not led"), reason);
    }

    private void fence(List<FakeEngine.Unit> chosen, FenceReason reason) {
        those(chosen, FakeEngine.Unit::isHeld, "fence() of what is neither led nor handed over")
                .forEach(unit -> unit.fence(reason));
        awaitNotified();
    }

    private List<FakeEngine.Unit> those(
            List<FakeEngine.Unit> chosen, Predicate<FakeEngine.Unit> condition, String otherwise) {
        if (member().isCallerInside()) {
            throw new IllegalStateException(
                    "called inside work or a listener, for which it would have to wait: call it on"
                            + " another thread, or resign() or pause() here");
        }
        List<FakeEngine.Unit> wanted = chosen.stream().filter(condition).toList();
        if (wanted.isEmpty()) {
            throw new IllegalStateException(otherwise + ": " + chosen);
        }
        return wanted;
    }

    private void awaitNotified() {
        Duration limit = settings.handoverTimeout();
        try {
            if (!member().awaitNotified(limit)) {
                throw new IllegalStateException("a listener still runs after " + limit.toMillis()
                        + " ms: let it end first, or allow more time with FakeNeli.Builder.handoverTimeout()");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a listener was running", e);
        }
    }

    /** Collects the settings of a {@link FakeNeli}. Not for use by several threads at once. */
    public static final class Builder {

        private static final Duration LEASE = Duration.ofSeconds(3);
        private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(100);

        private String name = "fake";
        private @Nullable Integer partitions;
        private List<String> roles = List.of();
        private boolean leading;
        private boolean interruptOnFence = true;
        private Duration handoverTimeout = Duration.ofSeconds(10);
        private final List<LeaderListener> listeners = new ArrayList<>();

        private Builder() {}

        /** Whether it leads all its roles from each start on. Default false. */
        public Builder leading(boolean leading) {
            this.leading = leading;
            return this;
        }

        /** This member's name. Default {@code fake}. */
        public Builder name(String name) {
            this.name = name;
            return this;
        }

        /** How many units of leadership there are. By default as many as there are roles, at least 1. */
        public Builder partitions(int partitions) {
            this.partitions = partitions;
            return this;
        }

        /** The roles that are led, which map to partitions as {@link io.neli.Neli} says. Default none, which is one role. */
        public Builder roles(List<String> roles) {
            this.roles = new ArrayList<>(roles);
            return this;
        }

        /** {@link #roles(List)}, one by one. */
        public Builder roles(String... roles) {
            return roles(List.of(roles));
        }

        /** Whether a fence interrupts running work. Default true. */
        public Builder interruptOnFence(boolean interrupt) {
            this.interruptOnFence = interrupt;
            return this;
        }

        /** How long {@link FakeNeli#revoke()} and the like wait for work and listeners before they fail. Default 10 s. */
        public Builder handoverTimeout(Duration timeout) {
            this.handoverTimeout = timeout;
            return this;
        }

        /** Adds a listener; listeners are called in the order in which they were added. */
        public Builder listener(LeaderListener listener) {
            this.listeners.add(listener);
            return this;
        }

        /**
         * A fake that is not started yet.
         *
         * @throws NeliException if a setting cannot work
         */
        public FakeNeli build() {
            int count = SettingsCheck.partitions(partitions == null ? Math.max(1, roles.size()) : partitions);
            AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
            MemberSettings settings = new MemberSettings(
                    SettingsCheck.name(name),
                    name,
                    name + ".neli",
                    new Roles(SettingsCheck.roles(roles, count), count),
                    Mode.EXCLUSIVE,
                    LEASE,
                    PAUSE_AFTER_FAILURE,
                    handoverTimeout,
                    listeners.stream()
                            .map(listener -> keeping(failure, listener))
                            .toList(),
                    new NeliMetrics() {},
                    interruptOnFence,
                    null,
                    null);
            return new FakeNeli(settings, leading, failure);
        }

        private static LeaderListener keeping(AtomicReference<@Nullable Throwable> failure, LeaderListener listener) {
            return event -> {
                try {
                    listener.onEvent(event);
                } catch (Throwable e) { // also a checked exception, from Kotlin
                    if (event instanceof LeaderAcquired) {
                        failure.compareAndSet(null, e);
                    }
                    throw e;
                }
            };
        }

        /** {@link #build()} and {@link FakeNeli#start()}. */
        public FakeNeli start() {
            FakeNeli neli = build();
            neli.start();
            return neli;
        }
    }
}
