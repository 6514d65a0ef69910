package io.neli.spring.autoconfigure.lifecycle;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

import io.neli.LeaderWork;
import io.neli.Leadership;
import io.neli.Neli;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.Lifecycle;
import org.springframework.context.Phased;
import org.springframework.context.SmartLifecycle;

/** Something that runs only while a role is led. Thread-safe as far as what it starts and stops is. */
final class LeaderComponent {

    private static final Logger log = LoggerFactory.getLogger(LeaderComponent.class);

    private final String name;
    private final String role;
    private final Lifecycle lifecycle;
    private final BooleanSupplier contextRuns;
    private volatile CompletableFuture<Void> stopped = CompletableFuture.completedFuture(null);
    private volatile boolean overdue;

    /**
     * A component that does not run.
     *
     * @param name for people
     * @param role empty for the first of the list
     * @param lifecycle what is started and stopped, not its proxy
     * @param contextRuns whether the application context that it belongs to is not stopped
     */
    LeaderComponent(String name, String role, Lifecycle lifecycle, BooleanSupplier contextRuns) {
        this.name = name;
        this.role = role;
        this.lifecycle = lifecycle;
        this.contextRuns = contextRuns;
    }

    String role() {
        return role;
    }

    int phase() {
        return lifecycle instanceof Phased phased ? phased.getPhase() : 0;
    }

    int partition(Neli election) {
        return role.isEmpty() ? 0 : election.partitionOf(role); // the first of the list lies on the first partition
    }

    boolean isLed(Neli election) {
        return role.isEmpty() ? election.isLeader() : election.isLeader(role);
    }

    Optional<Leadership> leadership(Neli election) {
        return role.isEmpty() ? election.leadership() : election.leadership(role);
    }

    Optional<LeaderWork> beginWork(Neli election) {
        return role.isEmpty() ? election.beginWork() : election.beginWork(role);
    }

    boolean mayRun() {
        return contextRuns.getAsBoolean();
    }

    /** Whether it was asked to stop and has not yet. */
    boolean isStopping() {
        return !stopped.isDone();
    }

    /** Whether it was waited for in vain since it was asked to stop. */
    boolean isOverdue() {
        return overdue && isStopping();
    }

    void setOverdue() {
        overdue = true;
    }

    /**
     * Starts it, unless it runs.
     *
     * @throws IllegalStateException if it is still stopping
     */
    void start() {
        if (isStopping()) {
            throw new IllegalStateException(this + " still runs from an earlier term and cannot start again."
                    + " Have its stop() end sooner, or raise neli.handover-timeout.");
        }
        if (!lifecycle.isRunning()) {
            log.info("Starting {}", this);
            lifecycle.start();
        }
    }

    /** Asks it to stop, on a thread of its own, as its {@code stop()} may block; see {@link #stop(Executor)}. */
    CompletableFuture<Void> stop() {
        return stop(this::onThreadOfItsOwn);
    }

    /** Asks it to stop that somebody else has started, perhaps while an earlier stop was still under way. */
    synchronized void stopAnew() {
        CompletableFuture<Void> earlier = stopped;
        CompletableFuture<Void> done = new CompletableFuture<>();
        stopped = done;
        overdue = false;
        CompletableFuture<Void> unused = earlier.thenRun(() -> onThreadOfItsOwn(() -> stop(done)));
    }

    private void onThreadOfItsOwn(Runnable task) {
        Thread thread = new Thread(task, "neli-stop-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Asks it to stop, unless it was asked already.
     *
     * @return done when it has stopped, at once if it does not run; a failure is logged
     */
    CompletableFuture<Void> stop(Executor executor) {
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
        executor.execute(() -> stop(done));
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
        } catch (RuntimeException | Error e) {
            log.error("{} has failed to stop, and may still run", this, e);
            done.complete(null);
        }
    }

    @Override
    public String toString() {
        return role.isEmpty() ? name : name + " of role '" + role + "'";
    }
}
