package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import io.neli.protocol.FenceReason;
import io.neli.protocol.RevokeReason;
import org.jspecify.annotations.Nullable;

/** One start of a {@link FakeNeli}: the gate, the events and the tasks of a real member, and a test in place of Kafka. */
final class FakeMembership {

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(100);

    private final String name;
    private final BoundedWait patience;
    private final Roles roles;
    private final EventThread events;
    private final List<FakePartition> partitions;
    private final Set<RepeatedTask> tasks = ConcurrentHashMap.newKeySet();
    private final AtomicInteger taskNumber = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile boolean paused;

    /**
     * A membership that begins.
     *
     * @param tokens where the tokens come from
     * @param previous the one before it, which may still be closing; null if there was none
     */
    FakeMembership(
            String name,
            Duration limit,
            ApplicationSettings application,
            AtomicLong tokens,
            @Nullable FakeMembership previous) {
        this.name = name;
        this.patience = new BoundedWait(limit);
        this.roles = application.roles();
        WorkLimit noLimit = new WorkLimit(null, limit, threadName("work-limit"), () -> {});
        this.events = EventThread.onDemand(
                threadName("events"),
                name,
                application.listeners().stream().map(this::keepingFailure).toList(),
                noLimit);
        Interrupts interrupts = new Interrupts(application.interruptOnFence(), this::callBack);
        this.partitions = IntStream.range(0, roles.partitions())
                .mapToObj(partition -> new FakePartition(
                        partition, roles.announcedOn(partition), tokens, events, interrupts, noLimit, this::standBack))
                .toList();
        if (previous != null) {
            events.first(previous::awaitClosed); // listeners hear of one thing at a time
        }
    }

    private String threadName(String purpose) {
        return "neli-" + name + "-" + purpose;
    }

    private LeaderListener keepingFailure(LeaderListener listener) {
        return event -> {
            try {
                listener.onEvent(event);
            } catch (Throwable e) { // also a checked one, from Kotlin
                if (event instanceof LeaderAcquired) {
                    failure.compareAndSet(null, e);
                }
                throw e;
            }
        };
    }

    /** Before the listeners hear of the fence, so that all has been called when a step of the test returns. */
    private void callBack(Runnable callbacks) {
        try {
            events.first(callbacks);
        } catch (RejectedExecutionException e) {
            callbacks.run(); // closed: the work is only now detached
        }
    }

    /** Gives up all that is led, and returns at once. */
    void standBack() {
        partitions.forEach(partition -> partition.revoke(RevokeReason.RESIGNED));
    }

    void start(boolean leading) {
        if (leading) {
            acquire(partitions);
        } else {
            partitions.forEach(FakePartition::othersLead);
        }
    }

    List<FakePartition> partitions() {
        return partitions;
    }

    FakePartition partitionOf(String role) {
        return partitions.get(roles.partitionOf(role));
    }

    boolean isClosing() {
        return closing.get();
    }

    boolean isPaused() {
        return paused;
    }

    void pause() {
        paused = true;
        partitions.forEach(partition -> partition.revoke(RevokeReason.PAUSED));
    }

    void resume() {
        paused = false;
    }

    /** Leads these, and returns when the listeners have prepared. */
    void acquire(List<FakePartition> chosen) {
        List<FakePartition> wanted = those(chosen, partition -> !partition.isLed(), "acquire() of what is led already");
        if (paused) {
            throw new IllegalStateException("acquire() on a member that is paused: call resume() before");
        }
        wanted.forEach(this::awaitEnd);
        failure.set(null);
        wanted.forEach(FakePartition::acquire);
        awaitTold();
        Throwable failed = failure.getAndSet(null);
        if (failed != null) {
            wanted.forEach(this::awaitEnd);
            throw new IllegalStateException("a listener failed on LeaderAcquired, so this member has resigned", failed);
        }
    }

    /** Hands these over, and returns when listeners and work have ended. */
    void revoke(List<FakePartition> chosen, RevokeReason reason) {
        handOver(those(chosen, FakePartition::isLed, "revoke() of what is not led"), reason);
    }

    /** Takes these away, and returns when the listeners have heard of it. */
    void fence(List<FakePartition> chosen, FenceReason reason) {
        those(chosen, FakePartition::isHeld, "fence() of what is neither led nor handed over")
                .forEach(partition -> partition.fence(reason));
        awaitTold();
    }

    private List<FakePartition> those(
            List<FakePartition> chosen, Predicate<FakePartition> condition, String otherwise) {
        if (isCallerInside()) {
            throw new IllegalStateException("called inside gated work or a listener, for which it would have to wait:"
                    + " call it on another thread, or resign() or pause() here");
        }
        List<FakePartition> wanted = chosen.stream().filter(condition).toList();
        if (wanted.isEmpty()) {
            throw new IllegalStateException(otherwise + ": " + chosen);
        }
        return wanted;
    }

    /** Leads all that there is, or nothing, as wanted; returns when nothing of what was before is left. */
    void reset(boolean leading) {
        paused = false;
        if (!leading) {
            handOver(partitions, RevokeReason.HANDOVER);
        } else if (!partitions.stream().allMatch(FakePartition::isLed)) {
            acquire(partitions);
        }
    }

    /** What takes too long is fenced, as with a real member. */
    private void handOver(List<FakePartition> wanted, RevokeReason reason) {
        wanted.forEach(partition -> partition.revoke(reason));
        try {
            wanted.forEach(this::awaitEnd);
        } catch (IllegalStateException late) {
            wanted.forEach(partition -> partition.fence(FenceReason.HANDOVER_TIMED_OUT));
            throw late;
        }
    }

    private boolean isCallerInside() {
        return events.isCaller()
                || partitions.stream().anyMatch(partition -> partition.gate().isCallerInside());
    }

    /** Waits until the last term of the partition has left nothing behind. */
    private void awaitEnd(FakePartition partition) {
        patience.await(partition.ended(), "work or a listener of this member's last term in " + partition);
    }

    /** Waits until the listeners have heard of all that has happened. */
    private void awaitTold() {
        CompletableFuture<Void> told = new CompletableFuture<>();
        events.first(() -> told.complete(null));
        patience.await(told, "a listener");
    }

    BackgroundTask background(String role, LeaderTask task) {
        RepeatedTask repeated = new RepeatedTask(
                task,
                partitionOf(role).gate(),
                role,
                threadName("background-" + taskNumber.incrementAndGet()),
                PAUSE_AFTER_FAILURE,
                patience.limit(),
                tasks::remove);
        tasks.add(repeated);
        repeated.start();
        if (isClosing()) {
            repeated.stop();
        }
        return repeated;
    }

    /** Hands over, as a real member does; at once if the caller is what would have to be waited for. */
    void close() {
        boolean first = !closing.getAndSet(true);
        partitions.forEach(partition -> partition.gate().close());
        tasks.forEach(RepeatedTask::stop);
        partitions.forEach(partition -> partition.partition().closing());
        if (isCallerInside()) {
            if (first) {
                Thread closer = new Thread(this::closeNow, threadName("close"));
                closer.setDaemon(true);
                closer.start();
            }
        } else if (first) {
            closeNow();
        } else {
            awaitClosed();
        }
    }

    private void closeNow() {
        try {
            handOver(partitions, RevokeReason.CLOSING);
        } finally {
            events.close();
            tasks.forEach(task -> task.awaitEnd(PAUSE_AFTER_FAILURE));
            closed.complete(null);
        }
    }

    private void awaitClosed() {
        patience.await(closed, "the close");
    }
}
