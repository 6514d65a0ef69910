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
import java.util.function.IntFunction;

import io.neli.Leader;
import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.NeliSnapshot;
import io.neli.internal.member.Engine;
import io.neli.internal.member.MemberSettings;
import io.neli.internal.member.Roles;

/** One partition: this member leads it when the test says so, otherwise the other member does. Thread-safe. */
final class FakeUnit {

    private static final long NONE = 0;

    private final MemberSettings settings;
    private final int partition;
    private final Map<String, String> othersMetadata;
    private final AtomicLong tokens;
    private final Engine.Events events;
    private volatile long own = NONE;
    private volatile boolean led;
    private Instant ledSince = Instant.EPOCH;
    private volatile long others = NONE;
    private volatile CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);

    FakeUnit(
            MemberSettings settings,
            int partition,
            Map<String, String> othersMetadata,
            AtomicLong tokens,
            Engine.Events events) {
        this.settings = settings;
        this.othersMetadata = othersMetadata;
        this.partition = partition;
        this.tokens = tokens;
        this.events = events;
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

    private OptionalLong tokenLed() {
        return led ? OptionalLong.of(own) : others == NONE ? OptionalLong.empty() : OptionalLong.of(others);
    }

    /** The leader; empty while the partition is handed over. */
    synchronized Optional<Leader> leader(String role) {
        OptionalLong token = tokenLed();
        return token.isEmpty()
                ? Optional.empty()
                : Optional.of(new Leader(
                        role,
                        led ? settings.name() : FakeNeli.OTHER,
                        token.getAsLong(),
                        led,
                        led ? settings.metadata() : othersMetadata));
    }

    /** The last term must have ended. Does nothing if this member leads. */
    synchronized void acquire() {
        if (led) {
            return;
        }
        others = NONE;
        own = tokens.incrementAndGet();
        led = true;
        ledSince = Instant.now();
        ended = new CompletableFuture<>();
        events.changed(new LeaderAcquired(role(), partition, own));
        leaderChanged();
    }

    /** Does nothing if this member does not lead. */
    synchronized void revoke(RevokeReason reason) {
        if (led) {
            led = false;
            events.changed(new LeaderRevoked(role(), partition, own, reason));
            leaderChanged();
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
        return led || (!ended.isDone() && others == NONE);
    }

    synchronized void othersLead() {
        if (others == NONE) {
            others = tokens.incrementAndGet();
            leaderChanged();
        }
    }

    private void leaderChanged() {
        events.leaderChanged(partition, leader(role()));
    }

    synchronized void drained(long token) {
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
                    + " ms: let it end first, or allow more time with FakeNeliBuilder.handoverTimeout()");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while work in " + this + " was running", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    synchronized NeliSnapshot.Partition snapshot(boolean eligible, IntFunction<Duration> preparingFor) {
        Optional<Leader> current = leader("");
        Optional<String> leader = current.map(Leader::name);
        long token = Math.max(own, others);
        return new NeliSnapshot.Partition(
                partition,
                settings.roles().announcedOn(partition),
                led ? "LEADING" : isHeld() ? "DRAINING" : "STANDBY",
                eligible,
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
