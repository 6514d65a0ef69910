package io.neli.spring.gate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderWork;
import io.neli.Neli;
import io.neli.NeliSnapshot;
import io.neli.spring.StartWhenLeading;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The components of one election, started in the order of their phases and stopped in reverse. Thread-safe. */
final class LeaderComponents {

    private static final Logger log = LoggerFactory.getLogger(LeaderComponents.class);

    private static final Duration LOOK = Duration.ofMillis(100);

    private final List<LeaderComponent> components = new CopyOnWriteArrayList<>();
    private final Supplier<Neli> election;
    private final boolean notified;

    /**
     * @param election called only when something must start or stop
     * @param notified whether the events of the election arrive here
     */
    LeaderComponents(Supplier<Neli> election, boolean notified) {
        this.election = election;
        this.notified = notified;
    }

    void add(LeaderComponent component) {
        if (!notified) {
            throw new AnnotatedPlace(StartWhenLeading.class, component.toString())
                    .refusal(
                            "the election is that of a parent context without Neli's auto-configuration, so nothing would"
                                    + " stop it at the end of a term",
                            "enable the auto-configuration in the parent context too, or define the election in this one");
        }
        components.add(component);
    }

    void removeAll(Collection<LeaderComponent> gone) {
        components.removeAll(gone);
    }

    /** Stops components at the end of a term. Called before the other listeners. */
    void onEventFirst(LeaderEvent event) {
        if (event instanceof LeaderRevoked) {
            stop(on(event));
        } else if (event instanceof LeaderFenced) {
            askToStop(on(event));
            askFenced();
        }
    }

    /** Starts components, and waits for those that a fence stops. Called after the other listeners. */
    void onEventLast(LeaderEvent event) {
        if (event instanceof LeaderAcquired acquired) {
            start(acquired);
        } else if (event instanceof LeaderFenced) {
            stop(on(event));
        }
    }

    /**
     * Starts the components of the event's role, as long as the term lasts. If one fails to start, stops all of them
     * again.
     */
    private void start(LeaderAcquired event) {
        Neli neli = election.get();
        List<String> roles = neli.snapshot().partitions().stream()
                .filter(partition -> partition.partition() == event.partition())
                .flatMap(partition -> partition.roles().stream())
                .toList();
        List<LeaderComponent> started = new ArrayList<>();
        // A starting component may create another, which startIfLed cannot start, because no work can begin yet.
        Supplier<Optional<LeaderComponent>> next = () -> components.stream()
                .filter(component -> !component.wasAskedIn(event.token()) && component.mayRun())
                .filter(component -> concerns(component, event, roles, neli) && isLed(component, event, neli))
                .min(Comparator.comparingInt(LeaderComponent::phase));
        try {
            for (var component = next.get(); component.isPresent(); component = next.get()) {
                if (component.get().ask(event.token())) { // else another thread was first
                    started.add(component.get());
                    component.get().start();
                }
            }
        } catch (RuntimeException | Error e) {
            stop(started);
            throw e;
        }
        stop(started.stream().filter(component -> !component.mayRun()).toList()); // its context has stopped meanwhile
    }

    /**
     * Starts those that were created after the events of a term, but before work could begin. Called when it can. One
     * that fails does not keep the others from starting.
     */
    void startLate() {
        for (LeaderComponent component : components) {
            try {
                startIfLed(component);
            } catch (RuntimeException | Error e) {
                log.error("{} has failed to start", component, e);
            }
        }
    }

    private static boolean isLed(LeaderComponent component, LeaderAcquired event, Neli neli) {
        return neli.leadership(component.role(neli))
                .filter(term -> term.token() == event.token())
                .isPresent();
    }

    /**
     * Each listed role has its own event, in the order of the list; an unlisted role counts as the first. Includes the
     * roles of earlier events, because a component may have been created since.
     *
     * @param roles those that are listed for the event's partition
     */
    private static boolean concerns(LeaderComponent component, LeaderAcquired event, List<String> roles, Neli neli) {
        String role = component.role(neli);
        return neli.partitionOf(role) == event.partition() && roles.indexOf(role) <= roles.indexOf(event.role());
    }

    /** The components of the event's partition. */
    private List<LeaderComponent> on(LeaderEvent event) {
        Neli neli = election.get();
        return components.stream()
                .filter(component -> neli.partitionOf(component.role(neli)) == event.partition())
                .toList();
    }

    /** Asks all that another member may replace by now, whatever their phase. Does not wait. */
    private void askFenced() {
        Neli neli = election.get();
        Set<Integer> fenced = neli.snapshot().partitions().stream()
                .filter(partition -> !partition.leading() && partition.state() != NeliSnapshot.Partition.State.DRAINING)
                .map(NeliSnapshot.Partition::partition)
                .collect(Collectors.toSet());
        askToStop(components.stream()
                .filter(component -> fenced.contains(neli.partitionOf(component.role(neli))))
                .filter(component -> !neli.isLeader(component.role(neli))) // once false, it remains so for the term
                .filter(component -> !component.isStartedElsewhere())
                .toList());
    }

    private static void askToStop(List<LeaderComponent> asked) {
        for (LeaderComponent component : asked) {
            CompletableFuture<Void> unused = component.stop();
        }
    }

    /** Starts a component that no event will start, if its role is led and the listeners have prepared. */
    @SuppressWarnings("try") // the work is only closed
    void startIfLed(LeaderComponent component) {
        Neli neli = election.get();
        String role = component.role(neli);
        boolean due = component.mayRun()
                && neli.leadership(role)
                        .filter(term -> !component.wasAskedIn(term.token()))
                        .isPresent();
        Optional<LeaderWork> begun = due ? neli.beginWork(role) : Optional.empty();
        if (begun.isEmpty()) {
            return;
        }
        try (LeaderWork work = begun.get()) { // a handover waits for this
            if (!component.ask(work.leadership().token())) {
                return; // another thread was first
            }
            component.start();
            // Meanwhile, the term may have ended, its context stopped, or the bean been removed.
            if (!work.leadership().isValid() || !component.mayRun()) {
                stop(List.of(component));
            }
        }
    }

    void stopUnled(List<LeaderComponent> asked) {
        Neli neli = election.get();
        stop(asked.stream()
                .filter(component -> !neli.isLeader(component.role(neli)))
                .toList());
    }

    /** Stops components. Returns when all have stopped, or after one handover timeout for all together. */
    void stop(List<LeaderComponent> asked) {
        List<LeaderComponent> stopping = asked.stream()
                .filter(component -> !component.isOverdue()) // already waited for when the term was revoked
                .toList();
        if (stopping.isEmpty()) {
            return;
        }
        Duration limit = election.get().handoverTimeout();
        long deadline = System.nanoTime() + limit.toNanos();
        stopping.stream()
                .collect(Collectors.groupingBy(
                        LeaderComponent::phase, () -> new TreeMap<>(Comparator.reverseOrder()), Collectors.toList()))
                .values()
                .forEach(phase ->
                        awaitAll(phase.stream().map(LeaderComponent::stop).toList(), deadline));
        List<LeaderComponent> late =
                stopping.stream().filter(LeaderComponent::isStopping).toList();
        if (!late.isEmpty()) {
            late.forEach(LeaderComponent::setOverdue);
            log.error(
                    "Still running, though another member may lead now: {}; make stop() return sooner, raise"
                            + " neli.handover-timeout, which is '{}ms', or write to a store that refuses old tokens",
                    late,
                    limit.toMillis());
        }
    }

    /** The events of other partitions wait meanwhile, so this looks at their terms. */
    private void awaitAll(List<CompletableFuture<Void>> stopped, long deadline) {
        CompletableFuture<Void> all = CompletableFuture.allOf(stopped.toArray(CompletableFuture[]::new));
        long left = deadline - System.nanoTime();
        while (left > 0 && !all.isDone()) {
            askFenced();
            try {
                all.get(Math.min(left, LOOK.toNanos()), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the election closes: others are asked to stop, and not waited for
                return;
            } catch (TimeoutException | ExecutionException e) {
                // a timeout is logged by the caller; the futures never fail
            }
            left = deadline - System.nanoTime();
        }
    }
}
