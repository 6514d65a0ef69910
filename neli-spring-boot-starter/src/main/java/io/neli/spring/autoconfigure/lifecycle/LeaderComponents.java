package io.neli.spring.autoconfigure.lifecycle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
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
import io.neli.LeaderWork;
import io.neli.Neli;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that runs only while a role is led, started and stopped in the order of phases. */
final class LeaderComponents {

    private static final Logger log = LoggerFactory.getLogger(LeaderComponents.class);

    private final List<LeaderComponent> components = new CopyOnWriteArrayList<>();
    private final Supplier<Neli> election;
    private final Supplier<Duration> stopLimit;

    /**
     * None yet.
     *
     * @param election not asked before something is to be started or stopped
     * @param stopLimit how long all that is stopped together may take
     */
    LeaderComponents(Supplier<Neli> election, Supplier<Duration> stopLimit) {
        this.election = election;
        this.stopLimit = stopLimit;
    }

    Neli election() {
        return election.get();
    }

    void add(LeaderComponent component) {
        components.add(component);
    }

    void removeAll(Collection<LeaderComponent> gone) {
        components.removeAll(gone);
    }

    /** Starts what is led now, each as long as it is. If one fails to start, those before it are stopped again. */
    void start(LeaderAcquired event) {
        Neli neli = election();
        List<LeaderComponent> meant = components.stream()
                .filter(component -> isMeant(component, event, neli))
                .sorted(Comparator.comparingInt(LeaderComponent::phase))
                .toList();
        List<LeaderComponent> started = new ArrayList<>();
        try {
            for (LeaderComponent component : meant) {
                if (component.mayRun() && isLed(component, event, neli)) {
                    started.add(component);
                    component.start();
                }
            }
        } catch (RuntimeException | Error e) {
            stop(started);
            throw e;
        }
        stop(started.stream().filter(component -> !component.mayRun()).toList()); // its context stopped meanwhile
    }

    private static boolean isLed(LeaderComponent component, LeaderAcquired event, Neli neli) {
        return component
                .leadership(neli)
                .filter(term -> term.token() == event.token())
                .isPresent();
    }

    /** Several roles on a partition bring an event each: a component starts at that of its own role, if there is one. */
    private static boolean isMeant(LeaderComponent component, LeaderAcquired event, Neli neli) {
        if (component.role().equals(event.role())) {
            return true;
        }
        return component.partition(neli) == event.partition()
                && neli.snapshot().partitions().stream()
                        .noneMatch(partition -> partition.roles().contains(component.role()));
    }

    /** Asks all that lies on the partition to stop, whatever its phase, and does not wait. */
    void askToStop(LeaderEvent event) {
        for (LeaderComponent component : on(event)) {
            CompletableFuture<Void> unused = component.stop();
        }
    }

    /** Stops what lies on the partition. Returns when all has stopped, or the limit is over. */
    void stop(LeaderEvent event) {
        stop(on(event));
    }

    private List<LeaderComponent> on(LeaderEvent event) {
        Neli neli = election();
        return components.stream()
                .filter(component -> component.partition(neli) == event.partition())
                .toList();
    }

    /** Starts it for somebody else, if it is led and the listeners have prepared. */
    @SuppressWarnings("try") // the work is only closed
    void startIfLed(LeaderComponent component) {
        Neli neli = election();
        Optional<LeaderWork> begun = component.isLed(neli) ? component.beginWork(neli) : Optional.empty();
        if (begun.isEmpty()) {
            log.debug("{} is not started: it is not led", component);
            return;
        }
        try (LeaderWork work = begun.get()) { // a handover waits
            component.start();
            if (!work.leadership().isValid()) { // it may have been passed over, as it did not yet run
                stop(List.of(component));
            }
        }
    }

    /** Returns when they have stopped, or the limit is over. */
    void stop(List<LeaderComponent> asked) {
        List<LeaderComponent> stopping = asked.stream()
                .filter(component -> !component.isOverdue()) // waited for already, when the term was revoked
                .toList();
        Duration limit = stopLimit.get();
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
                    "Still running after neli.handover-timeout, '{}', though another may lead now: {}. Have the stop end"
                            + " sooner, raise the timeout, or write to a store that refuses old tokens.",
                    limit,
                    late);
        }
    }

    private static void awaitAll(List<CompletableFuture<Void>> stopped, long deadline) {
        try {
            CompletableFuture.allOf(stopped.toArray(CompletableFuture[]::new))
                    .get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the election closes: the others are asked, and not waited for
        } catch (TimeoutException | ExecutionException e) {
            // too late; it is told below, and never fails
        }
    }
}
