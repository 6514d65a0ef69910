package io.neli.internal.member;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import io.neli.Job;
import io.neli.Leader;
import io.neli.LeaderEvent;
import io.neli.Mode;
import io.neli.Neli.BackgroundTask;
import io.neli.Neli.LeaderTask;
import io.neli.NeliException;
import io.neli.NeliSnapshot;
import io.neli.internal.shell.DaemonThread;
import io.neli.internal.shell.Deadline;
import io.neli.internal.shell.MemberClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One start of a member: what it leads, its work, events and tasks, and its end. Thread-safe. */
public final class Member {

    private static final Logger log = LoggerFactory.getLogger(Member.class);

    /**
     * For how many leases a member is not eligible whose listener could not prepare, or whose work exceeds its limit.
     */
    private static final int LEASES_AFTER_FAILURE = 10;

    /** For what takes no time unless the machine is overloaded. */
    private static final Duration MARGIN = Duration.ofSeconds(5);

    /** The handover has already waited for it; what still runs then has outlasted the handover timeout. */
    private static final Duration LAST_TASK_LIMIT = Duration.ofMillis(100);

    private final MemberSettings settings;
    private final MemberClock clock = MemberClock.system();
    private final Engine engine;
    private final WorkLimit limit;
    private final EventThread events;
    private final FenceThreads fences;
    private final List<LedPartition> partitions;
    private final BackgroundTasks tasks;
    private final JobRunner jobs;
    private boolean started;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final Set<Thread> insideClose = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * @param scheduled the jobs, which may become more or fewer
     * @param jobClock tells when they are due
     */
    Member(MemberSettings settings, Engine.Factory engines, List<Job> scheduled, InstantSource jobClock) {
        this.settings = settings;
        this.engine = engines.create(new Changes());
        this.limit = new WorkLimit(settings, this::stepDown);
        this.events = new EventThread(settings.threadName("events"), settings.groupId(), settings.listeners(), limit);
        this.fences = new FenceThreads(settings.threadName("fence"), clock);
        Executor interrupting = settings.interruptOnFence() ? fences : callbacks -> {};
        this.partitions = IntStream.range(0, settings.roles().partitions())
                .mapToObj(partition -> new LedPartition(
                        partition,
                        settings.roles().announcedOn(partition),
                        engine.participant(),
                        clock,
                        events,
                        new WorkGate(
                                clock,
                                interrupting,
                                (token, fenced) -> drained(partition, token, fenced),
                                limit,
                                settings.metrics()),
                        settings.metrics(),
                        this::stepDown,
                        term -> jobs().begin(term)))
                .toList();
        this.jobs = new JobRunner(
                settings,
                scheduled,
                engines.runStore(),
                role -> partitionOf(role).gate(),
                clock,
                jobClock);
        this.tasks = new BackgroundTasks(settings);
    }

    private void drained(int partition, long token, boolean fenced) {
        engine.participant().drained(partition, token, fenced);
        if (!fenced) {
            settings.metrics().handedOver(partition, token);
        }
    }

    public JobRunner jobs() {
        return jobs;
    }

    private final class Changes implements Engine.Events {

        private final ElectionLog electionLog = new ElectionLog(settings);

        @Override
        public void changed(LeaderEvent event) {
            partitions.get(event.partition()).onEvent(event);
            electionLog.changed(event);
        }

        @Override
        public void leaderChanged(int partition, Optional<Leader> leader) {
            if (!isClosing()) { // soon it does not know
                partitions.get(partition).leaderChanged(leader);
                electionLog.leaderChanged(partition, leader);
            }
        }
    }

    /** The application is not able to lead: hands over all that is led, and is eligible again later. */
    private void stepDown() {
        engine.participant().resign(null, settings.leaseDuration().multipliedBy(LEASES_AFTER_FAILURE));
    }

    /** Without effect if it is closed already. */
    synchronized void start() {
        if (!isClosing()) {
            started = true;
            if (engine.hasEventsOfItsOwn()) {
                events.keepThread();
                events.execute(() -> TermRehearsal.run(settings, clock, limit));
            }
            engine.start();
            jobs.start();
        }
    }

    /** Returns when the start has nothing more to wait for; where there is no election, when work can begin. */
    void awaitStarted() {
        if (!hasStarted()) { // the close came first
            return;
        }
        engine.awaitStarted();
        if (!engine.takesPart()) {
            try {
                awaitNotified(MARGIN);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public Engine engine() {
        return engine;
    }

    public NeliSnapshot snapshot() {
        return Snapshots.of(engine, partitions, jobs);
    }

    boolean isClosing() {
        return closing.get();
    }

    /** Where the role is led. */
    LedPartition partitionOf(String role) {
        return partitions.get(settings.roles().partitionOf(role));
    }

    BackgroundTask background(String role, LeaderTask task) {
        return tasks.start(role, partitionOf(role).gate(), task);
    }

    /**
     * Waits until the listeners have returned from all events that have come, and the callbacks of all fences have
     * returned.
     *
     * @return false if they have not within the limit
     */
    public boolean awaitNotified(Duration limit) throws InterruptedException {
        Deadline deadline = Deadline.after(limit, clock);
        CountDownLatch reached = new CountDownLatch(1);
        try {
            events.execute(reached::countDown);
        } catch (RejectedExecutionException closed) {
            return events.hasEnded();
        }
        return reached.await(limit.toNanos(), TimeUnit.NANOSECONDS) && fences.join(deadline);
    }

    /** Whether the calling thread is in a listener or at work: it cannot wait for either. */
    public boolean isCallerInside() {
        return events.isCaller()
                || partitions.stream().anyMatch(partition -> partition.gate().isCallerInside());
    }

    /** Hands over and disconnects. A caller that this would have to wait for waits for the others only. */
    void close() {
        boolean first = !closing.getAndSet(true);
        if (settings.mode() == Mode.EXCLUSIVE) {
            endWork(); // in the other mode work goes on until the next leader leads
        }
        partitions.forEach(LedPartition::closing);
        if (isCallerInside()) {
            if (first) {
                DaemonThread.of(settings.threadName("close"), this::closeNow).start();
            }
            if (engine.takesPart() && settings.mode() == Mode.EXCLUSIVE) {
                awaitOthers(); // in the other mode it would wait for the next leader
            }
        } else if (first) {
            closeNow();
        } else {
            awaitOthersClose();
        }
    }

    /** Waits, for the handover timeout, until all other work and listeners have ended. */
    private void awaitOthers() {
        Deadline deadline = Deadline.after(settings.handoverTimeout(), clock);
        insideClose.add(Thread.currentThread());
        partitions.forEach(partition -> partition.gate().wakeWaiting());
        try {
            for (LedPartition partition : partitions) {
                partition.gate().awaitOthers(insideClose, deadline);
            }
            if (!events.isCaller()) {
                awaitNotified(deadline.left());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            insideClose.remove(Thread.currentThread());
        }
    }

    private void endWork() {
        partitions.forEach(partition -> partition.gate().close());
        tasks.stop();
    }

    private void closeNow() {
        try {
            if (hasStarted()) {
                engine.close();
            }
        } finally {
            try {
                endWork();
                jobs.close();
                events.close();
                limit.close();
                fences.close();
            } finally {
                tasks.awaitEnd(Deadline.after(LAST_TASK_LIMIT, clock));
                closed.countDown();
            }
        }
    }

    private synchronized boolean hasStarted() {
        return started;
    }

    /** Waits until another thread's close is done, with a limit. */
    private void awaitOthersClose() {
        Duration longest = longestClose();
        try {
            if (!closed.await(longest.toNanos(), TimeUnit.NANOSECONDS)) {
                log.warn("Group {}: still closing after {}", settings.groupId(), longest);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits, without a limit, until it is closed. */
    void awaitClosed() throws InterruptedException {
        closed.await();
    }

    private Duration longestClose() {
        return settings.handoverTimeout().plus(settings.leaseDuration()).plus(MARGIN);
    }

    /**
     * Waits until it is closed, and all its work and listeners have ended, even those that ignore their interrupt: the
     * work of two starts must not overlap.
     *
     * @throws NeliException if something runs for longer than the handover timeout after the close
     */
    void awaitEnd() throws InterruptedException {
        if (isCallerInside()) {
            throw new IllegalStateException(
                    "start() must not be called inside work or a listener of the previous start, for"
                            + " whose end it has to wait: call it on another thread");
        }
        boolean ended = closed.await(longestClose().toNanos(), TimeUnit.NANOSECONDS);
        Deadline deadline = Deadline.after(settings.handoverTimeout(), clock);
        ended &= events.awaitEnd(deadline.left());
        for (LedPartition partition : partitions) {
            ended &= partition.gate().awaitIdle(deadline);
        }
        if (!ended) {
            throw new NeliException(
                    "the previous start of this election has not ended "
                            + SettingsCheck.text(settings.handoverTimeout()) + " after its close: " + running(),
                    "let work and listeners end when they are interrupted, and start again");
        }
    }

    /** The work and listeners that run, for people; empty if there are none. */
    private String running() {
        List<String> names = new ArrayList<>();
        partitions.forEach(partition -> names.addAll(partition.gate().running()));
        if (events.isBusy()) {
            names.add("a listener on thread '" + settings.threadName("events") + "'");
        }
        return String.join(", ", names);
    }
}
