package io.neli.spring.gate;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import io.neli.Neli;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.Lifecycle;
import org.springframework.context.Phased;
import org.springframework.context.SmartLifecycle;

/** A {@link Lifecycle} that runs only while its role is led. Thread-safe if the lifecycle is. */
final class LeaderComponent {

    private static final Logger log = LoggerFactory.getLogger(LeaderComponent.class);

    private static final long NO_TERM = -1; // tokens are never negative

    private final String name;
    private final String role;
    private final Lifecycle lifecycle;
    private final BooleanSupplier contextRuns;
    private final BooleanSupplier present;
    private volatile CompletableFuture<Void> stopped = CompletableFuture.completedFuture(null);
    private volatile boolean overdue;
    private volatile boolean startedHere;
    private final AtomicLong term = new AtomicLong(NO_TERM);

    /** An empty role means the election's default role; {@code present} is false once the component was removed. */
    LeaderComponent(
            String name, String role, Lifecycle lifecycle, BooleanSupplier contextRuns, BooleanSupplier present) {
        this.name = name;
        this.role = role;
        this.lifecycle = lifecycle;
        this.contextRuns = contextRuns;
        this.present = present;
    }

    String role(Neli election) {
        return role.isEmpty() ? election.defaultRole() : role;
    }

    int phase() {
        return lifecycle instanceof Phased phased ? phased.getPhase() : 0;
    }

    boolean mayRun() {
        return contextRuns.getAsBoolean() && present.getAsBoolean();
    }

    /** Whether it was removed and has stopped, so that it never has to be started or stopped again. */
    boolean isGone() {
        return !present.getAsBoolean() && !lifecycle.isRunning() && !isStopping();
    }

    /** Whether it is running although this class has never started it. */
    boolean isStartedElsewhere() {
        return !startedHere && lifecycle.isRunning();
    }

    /** Whether it was asked to stop and has not stopped yet. */
    boolean isStopping() {
        return !stopped.isDone();
    }

    /** Whether the wait for its current stop has timed out. */
    boolean isOverdue() {
        return overdue && isStopping();
    }

    void setOverdue() {
        overdue = true;
    }

    /**
     * Whether it was asked to start in the term with this token. It is not asked again: it may have ended by itself,
     * have failed, or been stopped.
     */
    boolean wasAskedIn(long token) {
        return term.get() == token;
    }

    /** Returns whether the caller is the first to ask it to start in the term with this token. */
    boolean ask(long token) {
        return term.getAndSet(token) != token;
    }

    /** Lets it be asked again in the same term. */
    void forgetTerm() {
        term.set(NO_TERM);
    }

    /** Starts it, unless it is running. Fails while it is still stopping. */
    void start() {
        if (isStopping()) {
            throw new IllegalStateException(this + " is still running from an earlier term and cannot start again:"
                    + " make its stop() return sooner, or raise neli.handover-timeout");
        }
        if (!lifecycle.isRunning()) {
            log.info("Starting {}", this);
            startedHere = true;
            lifecycle.start();
        }
    }

    /**
     * Asks it to stop, unless it was asked already, on its own thread, because its {@code stop()} may block. The future
     * completes when it has stopped or failed to.
     */
    CompletableFuture<Void> stop() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        boolean running = lifecycle.isRunning();
        synchronized (this) {
            if (!running || isStopping()) {
                return stopped;
            }
            stopped = done;
            overdue = false;
        }
        log.info("Stopping {}", this);
        Thread thread = new Thread(() -> stop(done), "neli-stop-" + name);
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (OutOfMemoryError e) { // no thread can be created
            stop(done);
        }
        return done;
    }

    private void stop(CompletableFuture<Void> done) {
        try {
            if (lifecycle instanceof SmartLifecycle smart) {
                smart.stop(() -> done.complete(null));
            } else {
                lifecycle.stop();
                done.complete(null);
            }
        } catch (Throwable e) { // even a checked exception, from Kotlin: the handover waits for this
            log.error("{} has failed to stop, and may still be running", this, e);
            done.complete(null);
        }
    }

    @Override
    public String toString() {
        return role.isEmpty() ? name : name + " of role '" + role + "'";
    }
}
