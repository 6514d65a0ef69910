package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import io.neli.protocol.Event;
import io.neli.protocol.FenceReason;
import io.neli.protocol.RevokeReason;
import io.neli.protocol.Term;

/** One partition of a {@link FakeNeli}: led when the test says so, and otherwise by another member. Thread-safe. */
final class FakePartition {

    private final int number;
    private final List<String> roles;
    private final AtomicLong tokens;
    private final WorkGate gate;
    private final LedPartition partition;
    private volatile long own = Term.NONE;
    private volatile boolean led;
    private long ledSinceNanos;
    private volatile long others = Term.NONE;
    private volatile CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);

    FakePartition(
            int number,
            List<String> roles,
            AtomicLong tokens,
            EventThread events,
            Interrupts interrupts,
            WorkLimit noLimit,
            Runnable cannotPrepare) {
        this.number = number;
        this.roles = roles;
        this.tokens = tokens;
        this.gate = new WorkGate(interrupts, this::drained, noLimit);
        this.partition = new LedPartition(
                number, roles, token -> led && own == token, events, gate, new NeliMetrics() {}, cannotPrepare);
    }

    WorkGate gate() {
        return gate;
    }

    /** What the application asks of it. */
    LedPartition partition() {
        return partition;
    }

    boolean isLed() {
        return led;
    }

    /** Nobody leads while it is handed over. */
    synchronized Optional<Leader> leader(String role, String name) {
        if (led) {
            return Optional.of(new Leader(role, name, own, true));
        }
        return others == Term.NONE ? Optional.empty() : Optional.of(new Leader(role, FakeNeli.OTHER, others, false));
    }

    /** Completes when the listeners and the work of this member's last term have ended; is complete before the first. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** The last term must have {@link #ended}. Does nothing where it is led. */
    synchronized void acquire() {
        if (led) {
            return;
        }
        others = Term.NONE;
        own = tokens.incrementAndGet();
        led = true;
        ledSinceNanos = System.nanoTime();
        ended = new CompletableFuture<>();
        partition.onEvent(new Event.Acquired(own));
    }

    /** Does nothing where it is not led. */
    synchronized void revoke(RevokeReason reason) {
        if (led) {
            led = false;
            partition.onEvent(new Event.Revoked(own, reason));
        }
    }

    /** Does nothing where it is neither led nor handed over just now. */
    synchronized void fence(FenceReason reason) {
        if (isHeld()) {
            led = false;
            othersLead();
            partition.onEvent(new Event.Fenced(own, reason));
        }
    }

    /** Whether it is led, or handed over just now: the other member does not lead yet. */
    synchronized boolean isHeld() {
        return led || (!ended.isDone() && others == Term.NONE);
    }

    /** The other member leads, unless it does already. */
    synchronized void othersLead() {
        if (others == Term.NONE) {
            others = tokens.incrementAndGet();
        }
    }

    private synchronized void drained(long token) {
        if (token == own) {
            othersLead();
            ended.complete(null);
        }
    }

    synchronized NeliSnapshot.Partition snapshot(String name) {
        Optional<String> leader = leader("", name).map(Leader::name);
        return new NeliSnapshot.Partition(
                number,
                roles,
                led ? "LEADING" : isHeld() ? "DRAINING" : "STANDBY",
                leader,
                Optional.of(Math.max(own, others)).filter(token -> token != Term.NONE),
                led,
                led ? Duration.ofNanos(System.nanoTime() - ledSinceNanos) : Duration.ZERO,
                Duration.ZERO,
                leader);
    }

    @Override
    public String toString() {
        return roles.size() == 1 ? "role '" + roles.get(0) + "'" : "the roles " + roles;
    }
}
