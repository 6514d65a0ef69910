package io.neli.test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.neli.Leader;
import io.neli.LeaderEvent;
import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.NeliSnapshot;
import io.neli.internal.member.Engine;
import io.neli.internal.member.MemberSettings;
import io.neli.internal.member.Roles;
import org.jspecify.annotations.Nullable;

/** The test decides who leads: this member, or the other one. */
final class FakeEngine implements Engine {

    private static final long NONE = 0;

    private final MemberSettings settings;
    private final boolean leadsFromStart;
    private final AtomicLong tokens;
    private final Consumer<LeaderEvent> events;
    private final List<Unit> units;
    private volatile boolean paused;

    /**
     * An engine that is not started.
     *
     * @param tokens where tokens come from; they go on growing from start to start
     */
    FakeEngine(MemberSettings settings, boolean leadsFromStart, AtomicLong tokens, Consumer<LeaderEvent> events) {
        this.settings = settings;
        this.leadsFromStart = leadsFromStart;
        this.tokens = tokens;
        this.events = events;
        this.units = IntStream.range(0, settings.roles().partitions())
                .mapToObj(Unit::new)
                .toList();
    }

    @Override
    public void start() {
        units.forEach(leadsFromStart ? Unit::acquire : Unit::othersLead);
    }

    @Override
    public void awaitStarted(@Nullable Duration limit) {
        // FakeNeli waits for the listeners
    }

    List<Unit> units() {
        return units;
    }

    Unit unit(int partition) {
        return units.get(partition);
    }

    boolean isPaused() {
        return paused;
    }

    @Override
    public boolean leads(int partition, long token) {
        return units.get(partition).leads(token);
    }

    @Override
    public Optional<Leader> leader(int partition, String role) {
        return units.get(partition).leader(role);
    }

    @Override
    public void drained(int partition, long token) {
        units.get(partition).drained(token);
    }

    /** Hands over; how long the cooldown lasts is for the test to decide. */
    @Override
    public void resign(Duration cooldown) {
        units.forEach(unit -> unit.revoke(RevokeReason.RESIGNED));
    }

    @Override
    public void pause(boolean pause) {
        paused = pause;
        if (pause) {
            units.forEach(unit -> unit.revoke(RevokeReason.PAUSED));
        }
    }

    /** Hands these over and waits for their work and listeners; fences those that take too long, as a real member would. */
    void handOver(List<Unit> wanted, RevokeReason reason) {
        wanted.forEach(unit -> unit.revoke(reason));
        try {
            wanted.forEach(Unit::awaitEnd);
        } catch (IllegalStateException late) {
            wanted.forEach(unit -> unit.fence(FenceReason.HANDOVER_TIMED_OUT));
            throw late;
        }
    }

    @Override
    public void close() {
        handOver(units, RevokeReason.CLOSING);
    }

    @Override
    public NeliSnapshot snapshot() {
        return new NeliSnapshot(
                settings.name(),
                settings.groupId(),
                settings.topic(),
                NeliSnapshot.Status.RUNNING,
                Optional.empty(),
                !paused,
                paused,
                List.of(settings.name(), FakeNeli.OTHER),
                units.stream().map(Unit::snapshot).toList(),
                Map.of());
    }

    /** One partition: led when the test says so, otherwise by the other member. Thread-safe. */
    final class Unit {

        private final int partition;
        private volatile long own = NONE;
        private volatile boolean led;
        private Instant ledSince = Instant.EPOCH;
        private volatile long others = NONE;
        private volatile CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);

        private Unit(int partition) {
            this.partition = partition;
        }

        boolean isLed() {
            return led;
        }

        private boolean leads(long token) {
            return led && own == token;
        }

        private OptionalLong tokenLed() {
            return led ? OptionalLong.of(own) : others == NONE ? OptionalLong.empty() : OptionalLong.of(others);
        }

        /** Empty while it is handed over. */
        private synchronized Optional<Leader> leader(String role) {
            OptionalLong token = tokenLed();
            return token.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Leader(role, led ? settings.name() : FakeNeli.OTHER, token.getAsLong(), led));
        }

        /** The last term must have ended. Does nothing where it is led. */
        synchronized void acquire() {
            if (led) {
                return;
            }
            others = NONE;
            own = tokens.incrementAndGet();
            led = true;
            ledSince = Instant.now();
            ended = new CompletableFuture<>();
            events.accept(new LeaderAcquired(role(), partition, own));
        }

        /** Does nothing where it is not led. */
        private synchronized void revoke(RevokeReason reason) {
            if (led) {
                led = false;
                events.accept(new LeaderRevoked(role(), partition, own, reason));
            }
        }

        /** Does nothing where it is neither led nor being handed over. */
        synchronized void fence(FenceReason reason) {
            if (isHeld()) {
                led = false;
                othersLead();
                events.accept(new LeaderFenced(role(), partition, own, reason));
            }
        }

        /** Whether it is led or being handed over: the other member does not lead yet. */
        synchronized boolean isHeld() {
            return led || (!ended.isDone() && others == NONE);
        }

        private synchronized void othersLead() {
            if (others == NONE) {
                others = tokens.incrementAndGet();
            }
        }

        private synchronized void drained(long token) {
            if (token == own) {
                othersLead();
                ended.complete(null);
            }
        }

        /** Waits until the last term's work and listeners have ended. */
        void awaitEnd() {
            Duration limit = settings.handoverTimeout();
            try {
                ended.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                throw new IllegalStateException("work or a listener of this member's last term in " + this
                        + " still runs after " + limit.toMillis()
                        + " ms: let it end first, or allow more time with FakeNeli.Builder.handoverTimeout()");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while work in " + this + " was running", e);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }

        private synchronized NeliSnapshot.Partition snapshot() {
            Optional<String> leader = leader("").map(Leader::name);
            long token = Math.max(own, others);
            return new NeliSnapshot.Partition(
                    partition,
                    settings.roles().announcedOn(partition),
                    led ? "LEADING" : isHeld() ? "DRAINING" : "STANDBY",
                    leader,
                    token == NONE ? Optional.empty() : Optional.of(token),
                    led,
                    led ? Duration.between(ledSince, Instant.now()) : Duration.ZERO,
                    Duration.ZERO,
                    leader);
        }

        private String role() {
            return Roles.ofPartition(partition);
        }

        @Override
        public String toString() {
            List<String> roles = settings.roles().announcedOn(partition);
            return roles.size() == 1 ? "role '" + roles.get(0) + "'" : "the roles " + roles;
        }
    }
}
