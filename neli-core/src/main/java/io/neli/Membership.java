package io.neli;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.neli.kafka.MemberClock;
import io.neli.kafka.MemberEngine;
import io.neli.kafka.MemberSettings;
import io.neli.protocol.ElectionSettings;
import io.neli.protocol.Event;
import io.neli.protocol.MemberId;
import io.neli.protocol.Term;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One start of a {@link KafkaNeli}: hands the engine's events to the listeners, in order and on a thread of their own, and
 * keeps the gate for work in step with them.
 */
final class Membership {

    private static final Logger log = LoggerFactory.getLogger(Membership.class);

    /** The partition that the default role is led on. */
    private static final int PARTITION = 0;

    /** How many leases a member stands back whose listener could not prepare. */
    private static final int LEASES_AFTER_FAILURE = 10;

    private static final Duration LAST_EVENTS_LIMIT = Duration.ofSeconds(5);

    /** The handover has waited for it already; what still runs then has outlived the handover timeout. */
    private static final Duration LAST_TASK_LIMIT = Duration.ofMillis(100);

    private final MemberSettings settings;
    private final List<LeaderListener> listeners;
    private final MemberEngine engine;
    private final WorkGate gate;
    private final ThreadPoolExecutor events;
    private final Set<RepeatedTask> tasks = ConcurrentHashMap.newKeySet();
    private final AtomicInteger taskNumber = new AtomicInteger();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Object leadershipChanged = new Object();
    private volatile @Nullable Leadership leadership;
    private volatile @Nullable Thread eventThread;

    /**
     * A membership that begins.
     *
     * @param previous the one before it, which may still be closing; null if there was none
     */
    Membership(
            MemberSettings settings,
            List<LeaderListener> listeners,
            boolean interruptOnFence,
            @Nullable Membership previous) {
        this.settings = settings;
        this.listeners = listeners;
        this.gate = new WorkGate(interruptOnFence);
        this.engine = new MemberEngine(settings, MemberClock.system(), this::onEvent);
        this.events = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread thread =
                    new Thread(task, "neli-" + settings.election().self().name() + "-events");
            thread.setDaemon(true);
            eventThread = thread;
            return thread;
        });
        if (previous != null) {
            events.execute(previous::awaitClosed); // listeners hear of one thing at a time
        }
    }

    void start() {
        events.prestartCoreThread();
        engine.start();
    }

    MemberEngine engine() {
        return engine;
    }

    WorkGate gate() {
        return gate;
    }

    boolean isClosing() {
        return closing.get();
    }

    BackgroundTask background(LeaderTask task) {
        ElectionSettings election = settings.election();
        RepeatedTask repeated = new RepeatedTask(
                task,
                gate,
                "neli-" + election.self().name() + "-background-" + taskNumber.incrementAndGet(),
                election.heartbeatInterval(),
                election.handoverTimeout(),
                tasks::remove);
        tasks.add(repeated);
        repeated.start();
        if (isClosing()) {
            repeated.stop();
        }
        return repeated;
    }

    private boolean isLed(long token) {
        return engine.leads(PARTITION).filter(term -> term.token() == token).isPresent();
    }

    /** The term that is led now. */
    Optional<Leadership> leadership() {
        return Optional.ofNullable(leadership).filter(Leadership::isValid);
    }

    Optional<Leader> leader() {
        return engine.leader(PARTITION).map(this::leader);
    }

    private Leader leader(Term term) {
        MemberId holder = term.holder();
        return new Leader(
                Neli.DEFAULT_ROLE,
                holder.name(),
                term.token(),
                holder.equals(settings.election().self()));
    }

    Optional<Leadership> awaitLeadership(Duration timeout) throws InterruptedException {
        long start = System.nanoTime();
        long limit = TimeUnit.NANOSECONDS.convert(timeout); // "forever" is a limit too
        synchronized (leadershipChanged) {
            while (leadership().isEmpty() && !closing.get()) {
                long left = TimeUnit.NANOSECONDS.toMillis(limit - (System.nanoTime() - start));
                if (left <= 0) {
                    break;
                }
                leadershipChanged.wait(left);
            }
        }
        return leadership();
    }

    private void signalLeadership() {
        synchronized (leadershipChanged) {
            leadershipChanged.notifyAll();
        }
    }

    /** On the thread that turns the election: returns at once. */
    private void onEvent(int partition, Event event) {
        if (partition != PARTITION) {
            if (event instanceof Event.Revoked revoked) { // nothing is led there that could have to end
                engine.drained(partition, revoked.token());
            }
        } else if (event instanceof Event.Acquired acquired) {
            onAcquired(acquired);
        } else if (event instanceof Event.Revoked revoked) {
            gate.revoked(revoked.token(), () -> engine.drained(PARTITION, revoked.token()));
            events.execute(() -> {
                tell(new LeaderRevoked(Neli.DEFAULT_ROLE, revoked.token(), revoked.reason()));
                gate.listenersDone(revoked.token());
            });
        } else if (event instanceof Event.Fenced fenced) {
            gate.fenced();
            events.execute(() -> tell(new LeaderFenced(Neli.DEFAULT_ROLE, fenced.token(), fenced.reason())));
        }
    }

    private void onAcquired(Event.Acquired acquired) {
        Leadership begun = new TermLeadership(Neli.DEFAULT_ROLE, acquired.token(), Instant.now(), this::isLed);
        leadership = begun;
        gate.acquired(begun);
        signalLeadership();
        events.execute(() -> {
            if (tell(new LeaderAcquired(Neli.DEFAULT_ROLE, acquired.token()))) {
                gate.open(begun);
            } else {
                engine.resign(settings.election().lease().multipliedBy(LEASES_AFTER_FAILURE));
            }
        });
    }

    /** Returns whether all listeners have returned; all are told, whatever the others do. */
    private boolean tell(LeaderEvent event) {
        boolean allReturned = true;
        for (LeaderListener listener : listeners) {
            try {
                listener.onEvent(event);
            } catch (RuntimeException
                    | Error e) { // an Error too must not cost the listeners behind this one their event
                log.error("Group {}: a listener failed on {}", settings.groupId(), event, e);
                allReturned = false;
            }
        }
        return allReturned;
    }

    /** Hands over and disconnects; at once if the caller is what would have to be waited for. */
    void close() {
        boolean first = !closing.getAndSet(true);
        gate.close();
        signalLeadership();
        if (Thread.currentThread() == eventThread || gate.isCallerInside()) {
            if (first) {
                Thread closer = new Thread(
                        this::closeNow, "neli-" + settings.election().self().name() + "-close");
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
        tasks.forEach(RepeatedTask::stop);
        try {
            engine.close();
            events.shutdown();
            Thread thread = eventThread;
            if (thread != null) {
                thread.join(LAST_EVENTS_LIMIT.toMillis());
                if (thread.isAlive()) {
                    log.warn("Group {}: a listener still runs after the close; it is interrupted", settings.groupId());
                    interruptListener(); // the events behind it are still told
                }
            }
        } catch (InterruptedException e) {
            interruptListener();
            Thread.currentThread().interrupt();
        } finally {
            awaitTasks();
            closed.countDown();
        }
    }

    private void interruptListener() {
        Thread thread = eventThread;
        if (thread != null) {
            thread.interrupt();
        }
    }

    private void awaitTasks() {
        long deadline = System.nanoTime() + LAST_TASK_LIMIT.toNanos();
        for (RepeatedTask task : tasks) {
            task.awaitEnd(Duration.ofNanos(deadline - System.nanoTime()));
        }
    }

    /** Waits until another thread's close is done, with a limit. */
    private void awaitClosed() {
        Duration limit = settings.election()
                .handoverTimeout()
                .plus(settings.election().lease())
                .plus(LAST_EVENTS_LIMIT);
        try {
            if (!closed.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                log.warn("Group {}: still closing after {}", settings.groupId(), limit);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
