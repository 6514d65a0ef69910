package io.neli;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongPredicate;

import io.neli.protocol.Event;
import org.jspecify.annotations.Nullable;

/**
 * One partition in a {@link Membership}: its term, the gate for its work, and the events of the roles that lie on it.
 * Thread-safe.
 */
final class LedPartition {

    private final int number;
    private final List<String> roles;
    private final LongPredicate isLed;
    private final EventThread events;
    private final WorkGate gate;
    private final NeliMetrics metrics;
    private final Runnable cannotPrepare;
    private volatile @Nullable TermLeadership term;
    private boolean closing;

    /**
     * A partition that is not led yet.
     *
     * @param roles those that its events are told for
     * @param isLed whether this member leads it now, in the term with that token
     * @param cannotPrepare called when a listener has thrown on {@link LeaderAcquired}
     */
    LedPartition(
            int number,
            List<String> roles,
            LongPredicate isLed,
            EventThread events,
            WorkGate gate,
            NeliMetrics metrics,
            Runnable cannotPrepare) {
        this.number = number;
        this.roles = roles;
        this.isLed = isLed;
        this.events = events;
        this.gate = gate;
        this.metrics = metrics;
        this.cannotPrepare = cannotPrepare;
    }

    WorkGate gate() {
        return gate;
    }

    boolean isLed() {
        TermLeadership current = term;
        return current != null && current.isValid();
    }

    /** The term that is led now. */
    Optional<Leadership> leadership(String role) {
        return Optional.ofNullable(term).filter(Leadership::isValid).map(current -> current.of(role));
    }

    Optional<Leadership> awaitLeadership(String role, Duration timeout) throws InterruptedException {
        long start = System.nanoTime();
        long limit = TimeUnit.NANOSECONDS.convert(timeout); // "forever" is a limit too
        synchronized (this) {
            while (!isLed() && !closing) {
                long left = TimeUnit.NANOSECONDS.toMillis(limit - (System.nanoTime() - start));
                if (left <= 0) {
                    break;
                }
                wait(left);
            }
        }
        return leadership(role);
    }

    /** Nobody waits for the lead any more. */
    synchronized void closing() {
        closing = true;
        notifyAll();
    }

    /** On the thread that turns the election: returns at once. */
    void onEvent(Event event) {
        long token = event.token();
        if (event instanceof Event.Acquired) {
            begin(new TermLeadership(roles.get(0), token, Instant.now(), isLed));
        } else if (event instanceof Event.Revoked revoked) {
            gate.revoked(token);
            tell(
                    role -> new LeaderRevoked(role, number, token, revoked.reason()),
                    allReturned -> gate.listenersDone(token));
        } else if (event instanceof Event.Fenced fenced) {
            gate.fenced(token);
            tell(
                    role -> new LeaderFenced(role, number, token, fenced.reason()),
                    allReturned -> gate.listenersDone(token));
        }
    }

    private void begin(TermLeadership begun) {
        gate.acquired(begun);
        synchronized (this) {
            term = begun;
            notifyAll();
        }
        tell(role -> new LeaderAcquired(role, number, begun.token()), allReturned -> {
            if (allReturned) {
                gate.open(begun);
            } else {
                cannotPrepare.run();
            }
        });
    }

    private void tell(Function<String, LeaderEvent> eventOf, Consumer<Boolean> afterwards) {
        List<LeaderEvent> forEachRole = roles.stream().map(eventOf).toList();
        forEachRole.forEach(metrics::changed);
        events.tell(forEachRole, afterwards);
    }
}
