package io.neli.test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import io.neli.Leader;
import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.NeliSnapshot;
import io.neli.NeliSnapshot.Partition.State;
import io.neli.internal.member.Engine;
import io.neli.internal.member.MemberSettings;
import io.neli.internal.member.Roles;
import io.neli.internal.runs.RunKey;
import io.neli.internal.runs.RunRecord;
import io.neli.internal.runs.RunStore;
import io.neli.internal.shell.Participant;
import org.jspecify.annotations.Nullable;

/** An engine with which the test decides who leads: this member, or the other one. Thread-safe. */
final class FakeEngine implements Engine, Participant {

    /**
     * Creates the engine of each start. Tokens, records of runs and the clock of jobs belong to the group, and outlast
     * a start.
     *
     * @param othersMetadata the metadata of the other member while it leads
     * @param tokens the last token that was used
     */
    record Factory(
            MemberSettings settings,
            boolean leadsFromStart,
            Map<String, String> othersMetadata,
            AtomicLong tokens,
            Map<RunKey, RunRecord> records,
            AtomicReference<Instant> now)
            implements Engine.Factory {

        @Override
        public Engine create(Events events) {
            return new FakeEngine(this, events);
        }

        @Override
        public RunStore runStore() {
            return RunStore.inMemory(records);
        }

        /** At least the wall clock, as in production: a store that outlasts this group accepts the token. */
        long nextToken() {
            return tokens.updateAndGet(last -> Math.max(last + 1, System.currentTimeMillis()));
        }
    }

    private static final long NONE = 0;

    private final Factory group;
    private final MemberSettings settings;
    private final Events events;
    final List<Unit> units;
    private volatile boolean paused;
    private volatile boolean candidate = true;
    private volatile boolean closing;

    private FakeEngine(Factory group, Events events) {
        this.group = group;
        this.settings = group.settings();
        this.events = events;
        this.units = IntStream.range(0, settings.roles().partitions())
                .mapToObj(Unit::new)
                .toList();
    }

    @Override
    public Participant participant() {
        return this;
    }

    @Override
    public void start() {
        units.forEach(group.leadsFromStart() && isEligible() ? Unit::acquire : Unit::othersLead);
    }

    private boolean isEligible() {
        return candidate && !paused;
    }

    void resumeAll() {
        paused = false;
        units.forEach(unit -> unit.paused = false);
    }

    @Override
    public boolean hasEventsOfItsOwn() {
        return false;
    }

    @Override
    public boolean leads(int partition, long token) {
        return units.get(partition).leads(token);
    }

    @Override
    public boolean lasts(int partition, long token) {
        return units.get(partition).lasts(token);
    }

    @Override
    public Optional<Leader> leader(int partition, String role) {
        return units.get(partition).leader(role);
    }

    @Override
    public void drained(int partition, long token, boolean fenced) {
        units.get(partition).drained(token);
    }

    /** Hands over. Ignores the cooldown, because the test decides when this member leads again. */
    @Override
    public void resign(@Nullable Integer partition, Duration cooldown) {
        (partition == null ? units : List.of(units.get(partition))).forEach(unit -> unit.revoke(RevokeReason.RESIGNED));
    }

    @Override
    public void pause(@Nullable Integer partition, boolean pause) {
        if (partition == null) {
            paused = pause;
        } else {
            units.get(partition).paused = pause;
        }
        revokeNotEligible();
    }

    @Override
    public void candidate(boolean mayLead) {
        candidate = mayLead;
        revokeNotEligible();
    }

    private void revokeNotEligible() {
        units.stream().filter(unit -> !unit.isEligible()).forEach(unit -> unit.revoke(RevokeReason.PAUSED));
    }

    /**
     * Hands over these units and waits for their work and listeners; on a timeout fences them, as a real member would.
     */
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
        closing = true; // first: a unit acquired meanwhile would never be handed over
        List<Unit> held = units.stream().filter(Unit::isHeld).toList(); // fenced work may continue
        handOver(held, RevokeReason.CLOSING);
    }

    @Override
    public NeliSnapshot snapshot(IntFunction<Duration> preparingFor) {
        return new NeliSnapshot(
                settings.name(),
                settings.groupId(),
                settings.topic(),
                NeliSnapshot.Status.RUNNING,
                Optional.empty(),
                isEligible(),
                paused,
                2,
                units.stream().map(unit -> unit.snapshot(preparingFor)).toList(),
                List.of());
    }

    /** One partition: this member leads it when the test says so, otherwise the other member does. */
    final class Unit {

        final int partition;
        private volatile boolean paused;
        private volatile long own = NONE;
        private volatile boolean led;
        private Instant ledSince = Instant.EPOCH;
        private volatile long others = NONE;
        private volatile CountDownLatch ended = new CountDownLatch(0);

        private Unit(int partition) {
            this.partition = partition;
        }

        boolean isEligible() {
            return FakeEngine.this.isEligible() && !paused;
        }

        boolean isLed() {
            return led;
        }

        boolean leads(long token) {
            return led && own == token;
        }

        synchronized boolean lasts(long token) {
            return own == token && isHeld();
        }

        /** The leader: this member until its work has ended, as in production. */
        synchronized Optional<Leader> leader(String role) {
            if (isHeld()) {
                return Optional.of(new Leader(role, settings.name(), own, true, settings.metadata()));
            }
            return others == NONE
                    ? Optional.empty()
                    : Optional.of(new Leader(role, FakeNeli.OTHER, others, false, group.othersMetadata()));
        }

        /** Does nothing if the last term has not ended, or if this member is closing or not eligible. */
        synchronized void acquire() {
            if (ended.getCount() > 0 || closing || !isEligible()) {
                return;
            }
            others = NONE;
            own = group.nextToken();
            led = true;
            ledSince = Instant.now();
            ended = new CountDownLatch(1);
            events.changed(new LeaderAcquired(role(), partition, own));
            leaderChanged();
        }

        /** Does nothing if this member does not lead. */
        synchronized void revoke(RevokeReason reason) {
            if (led) {
                led = false;
                events.changed(new LeaderRevoked(role(), partition, own, reason));
            }
        }

        /** Does nothing if this member neither leads nor is handing over. */
        synchronized void fence(FenceReason reason) {
            if (isHeld()) {
                led = false;
                events.changed(new LeaderFenced(role(), partition, own, reason));
                othersLead();
            }
        }

        /** Whether this member leads or is handing over, so that the other member does not lead yet. */
        synchronized boolean isHeld() {
            return led || (ended.getCount() > 0 && others == NONE);
        }

        synchronized void othersLead() {
            if (others == NONE) {
                others = group.nextToken();
                leaderChanged();
            }
        }

        private void leaderChanged() {
            events.leaderChanged(partition, leader(role()));
        }

        synchronized void drained(long token) {
            if (token == own) {
                othersLead();
                ended.countDown();
            }
        }

        /** Waits until the last term's work and listeners have ended. */
        void awaitEnd() {
            FakeNeli.await(
                    limit -> ended.await(limit.toNanos(), TimeUnit.NANOSECONDS),
                    settings.handoverTimeout(),
                    "work or a listener of this member's last term in " + this + " still runs");
        }

        synchronized NeliSnapshot.Partition snapshot(IntFunction<Duration> preparingFor) {
            Optional<Leader> current = leader("");
            Optional<String> leader = current.map(Leader::name);
            long token = Math.max(own, others);
            return new NeliSnapshot.Partition(
                    partition,
                    settings.roles().announcedOn(partition),
                    led ? State.LEADING : isHeld() ? State.DRAINING : State.STANDBY,
                    isEligible(),
                    leader,
                    current.map(Leader::metadata).orElse(Map.of()),
                    token == NONE ? Optional.empty() : Optional.of(token),
                    led,
                    led ? Duration.between(ledSince, Instant.now()) : Duration.ZERO,
                    preparingFor.apply(partition),
                    Duration.ZERO,
                    leader,
                    List.of(new NeliSnapshot.Log(settings.topic(), true, isHeld(), leader)));
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
