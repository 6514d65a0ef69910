package io.neli.internal.member;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

import io.neli.Leader;
import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.Leadership;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.Deadline;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.MetricsReporter;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.Terms;
import org.jspecify.annotations.Nullable;

/** One partition of a {@link Member}: its term, the gate for its work, and the events of its roles. Thread-safe. */
final class LedPartition {

    /**
     * A listener threw on {@link LeaderAcquired}.
     *
     * @param terms in how many consecutive terms, including the last
     * @param thrown what it threw in the last one
     */
    record Failure(String role, int terms, Throwable thrown) {

        Problem problem() {
            return new Problem(
                    "a listener failed when this member began to lead role '" + role + "', so it resigned ("
                            + (terms == 1 ? "once" : terms + " times in a row") + "); the cause is '" + rootOf(thrown)
                            + "'",
                    "fix what the cause names, or remove the listener or component that throws it",
                    false);
        }
    }

    private final int number;
    private final List<String> roles;
    private final Terms terms;
    private final MemberClock clock = MemberClock.system();
    private final EventThread events;
    final WorkGate gate;
    private final MetricsReporter metrics;
    private final Runnable cannotPrepare;
    private final Consumer<TermLeadership> prepared;
    private volatile @Nullable TermLeadership term;
    private volatile @Nullable MonotonicTime preparingSince;
    private volatile @Nullable Failure failure;
    private boolean closing;

    /**
     * @param roles the roles that have events
     * @param cannotPrepare called when a listener threw on {@link LeaderAcquired}
     * @param prepared called when the listeners have prepared for a term, and work may begin
     */
    LedPartition(
            int number,
            List<String> roles,
            Terms terms,
            EventThread events,
            WorkGate gate,
            MetricsReporter metrics,
            Runnable cannotPrepare,
            Consumer<TermLeadership> prepared) {
        this.number = number;
        this.roles = roles;
        this.terms = terms;
        this.events = events;
        this.gate = gate;
        this.metrics = metrics;
        this.cannotPrepare = cannotPrepare;
        this.prepared = prepared;
    }

    boolean isLed() {
        TermLeadership current = term;
        return current != null && terms.leads(number, current.token());
    }

    /** The term that is led now; empty if none is. */
    Optional<Leadership> leadership(String role) {
        return Optional.ofNullable(term).filter(Leadership::isValid).map(current -> current.of(role));
    }

    /** How long the listeners have not returned from an acquisition; zero if they have. */
    Duration preparingFor() {
        MonotonicTime since = preparingSince;
        return since == null ? Duration.ZERO : since.until(clock.time());
    }

    /** Why this member could not do the work in its last term; empty if it could. */
    Optional<Failure> failure() {
        return Optional.ofNullable(failure);
    }

    Optional<Leadership> awaitLeadership(String role, Duration timeout) throws InterruptedException {
        Deadline deadline = Deadline.after(timeout, clock);
        synchronized (this) {
            while (true) {
                Optional<Leadership> led = leadership(role);
                long left = deadline.left().toMillis();
                if (led.isPresent() || closing || left == 0) {
                    return led;
                }
                wait(left);
            }
        }
    }

    /** Ends all waits for leadership. */
    synchronized void closing() {
        closing = true;
        notifyAll();
    }

    /** Called on the engine's thread; returns immediately. */
    void onEvent(LeaderEvent event) {
        long token = event.token();
        Consumer<Optional<Throwable>> ended = thrown -> gate.listenersDone(token);
        if (event instanceof LeaderAcquired) {
            begin(new TermLeadership(terms, number, roles.get(0), token, Instant.now()));
        } else if (event instanceof LeaderRevoked revoked) {
            gate.revoked(token);
            notifyListeners(role -> new LeaderRevoked(role, number, token, revoked.reason()), ended);
        } else if (event instanceof LeaderFenced fenced) {
            gate.fenced(token);
            notifyListeners(role -> new LeaderFenced(role, number, token, fenced.reason()), ended);
        }
    }

    private void begin(TermLeadership begun) {
        gate.acquired(begun);
        preparingSince = clock.time();
        synchronized (this) {
            term = begun;
            notifyAll();
        }
        notifyListeners(role -> new LeaderAcquired(role, number, begun.token()), thrown -> {
            preparingSince = null;
            if (thrown.isPresent()) {
                failed(thrown.get());
            } else {
                failure = null;
                gate.open(begun);
                prepared.accept(begun);
            }
        });
    }

    private void failed(Throwable thrown) {
        Failure before = failure;
        failure = new Failure(roles.get(0), before == null ? 1 : before.terms() + 1, thrown);
        cannotPrepare.run();
    }

    /** The root cause, because frameworks wrap what a listener throws. */
    private static Throwable rootOf(Throwable failure) {
        return Problem.causes(failure).reduce(failure, (outer, cause) -> cause);
    }

    /** Called on the engine's thread; returns immediately. */
    void leaderChanged(Optional<Leader> leader) {
        roles.forEach(role -> events.deliver(
                role, leader.map(led -> new Leader(role, led.name(), led.token(), led.self(), led.metadata()))));
    }

    private void notifyListeners(Function<String, LeaderEvent> eventOf, Consumer<Optional<Throwable>> afterwards) {
        List<LeaderEvent> forEachRole = roles.stream().map(eventOf).toList();
        forEachRole.forEach(event -> metrics.report(each -> each.changed(event)));
        events.deliver(forEachRole, afterwards);
    }
}
