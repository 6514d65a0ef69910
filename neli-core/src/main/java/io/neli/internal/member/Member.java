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
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.TaskThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One start of a member, from its start to its close: its partitions, work, events, tasks and jobs. Thread-safe. */
public final class Member {

    private static final Logger log = LoggerFactory.getLogger(Member.class);

    /** For how many leases a member is not eligible after a listener has failed, or work exceeded its limit. */
    private static final int LEASES_AFTER_FAILURE = 10;

    /** Extra time for steps that take no time unless the machine is overloaded. */
    private static final Duration MARGIN = Duration.ofSeconds(5);

    /** Short, because a task that still runs after the handover has outlasted the handover timeout. */
    private static final Duration LAST_TASK_LIMIT = Duration.ofMillis(100);

    private static final Duration LAST_FENCE_LIMIT = Duration.ofSeconds(1);

    private final MemberSettings settings;
    private final MemberClock clock = MemberClock.system();
    private final Engine engine;
    private final WorkLimit limit;
    private final EventThread events;

    /** Interrupt work, and call the callbacks of detached work. Both may block. */
    private final TaskThreads fences;

    private final List<LedPartition> partitions;
    private final BackgroundTasks tasks;
    private final JobRunner jobs;
    private boolean started;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final Set<Thread> insideClose = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * @param scheduled the jobs; jobs may be added and removed
     * @param jobClock decides when jobs are due
     */
    Member(MemberSettings settings, Engine.Factory engines, List<Job> scheduled, InstantSource jobClock) {
        this.settings = settings;
        this.engine = engines.create(new Changes());
        this.limit = new WorkLimit(
                settings.workLimit(),
                settings.warnAfter(),
                settings.leaseDuration(),
                WorkLimit.SLOW_LISTENER,
                settings.threadName("work-limit"),
                this::stepDown);
        this.events = new EventThread(settings.threadName("events"), settings.groupId(), settings.listeners(), limit);
        this.fences = new TaskThreads(settings.threadName("fence"));
        Executor interrupting = settings.interruptOnFence() ? fences : callbacks -> {};
        this.partitions = IntStream.range(0, settings.roles().partitions())
                .mapToObj(partition -> new LedPartition(
                        partition,
                        settings.roles().announcedOn(partition),
                        engine.participant(),
                        events,
                        new WorkGate(
                                interrupting,
                                (token, fenced) -> drained(partition, token, fenced),
                                limit,
                                settings.metrics()),
                        settings.metrics(),
                        this::stepDown,
                        term -> jobs().begin(term)))
                .toList();
        this.jobs = new JobRunner(settings, scheduled, engines.runStore(), role -> partitionOf(role).gate, jobClock);
        this.tasks = new BackgroundTasks(settings);
    }

    private void drained(int partition, long token, boolean fenced) {
        engine.participant().drained(partition, token, fenced);
        if (!fenced) {
            settings.metrics().report(each -> each.handedOver(partition, token));
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
            if (!(event instanceof LeaderEvent.LeaderAcquired)) {
                jobs.termEnded();
            }
            electionLog.changed(event);
        }

        @Override
        public void leaderChanged(int partition, Optional<Leader> leader) {
            if (!isClosing()) { // a closing member soon no longer knows who leads
                partitions.get(partition).leaderChanged(leader);
                electionLog.leaderChanged(partition, leader);
            }
        }
    }

    /** Called when the application cannot lead. Hands over all that is led; the member is eligible again later. */
    private void stepDown() {
        engine.participant().resign(null, settings.leaseDuration().multipliedBy(LEASES_AFTER_FAILURE));
    }

    /** Has no effect after the close. */
    synchronized void start() {
        if (!isClosing()) {
            started = true;
            if (engine.hasEventsOfItsOwn()) {
                events.keepThread();
                events.execute(() -> TermRehearsal.run(settings, limit));
            }
            engine.start();
            jobs.start();
        }
    }

    /** Waits until the engine has started and, without an election, until work can begin. */
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

    boolean isClosed() {
        return closed.getCount() == 0;
    }

    LedPartition partition(int number) {
        return partitions.get(number);
    }

    /** The partition that the role maps to. */
    LedPartition partitionOf(String role) {
        return partition(settings.roles().partitionOf(role));
    }

    /** What a listener threw when the last term of the partition began; empty if none did. */
    public Optional<Throwable> failure(int partition) {
        return partitions.get(partition).failure().map(LedPartition.Failure::thrown);
    }

    BackgroundTask background(String role, LeaderTask task) {
        return tasks.start(role, partitionOf(role).gate, task);
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
            return events.awaitEnd(limit);
        }
        if (!reached.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        events.awaitIdle(deadline);
        return fences.join(deadline);
    }

    /** Whether the calling thread is in a listener or doing work, so that it cannot wait for either. */
    public boolean isCallerInside() {
        return events.isCaller() || partitions.stream().anyMatch(partition -> partition.gate.isCallerInside());
    }

    /** Hands over and disconnects. If a listener or work calls this, it waits only for the others. */
    void close() {
        boolean first = !closing.getAndSet(true);
        if (settings.mode() == Mode.EXCLUSIVE) {
            endWork(); // in the other mode work continues until the next leader leads
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

    /** Waits, for at most the handover timeout, until all other work and listeners have ended. */
    private void awaitOthers() {
        Deadline deadline = Deadline.after(settings.handoverTimeout(), clock);
        boolean forListeners = !events.isCaller();
        insideClose.add(Thread.currentThread());
        partitions.forEach(partition -> partition.gate.wakeWaiting());
        try {
            for (LedPartition partition : partitions) {
                partition.gate.awaitOthers(insideClose, forListeners, deadline);
            }
            if (forListeners) {
                awaitNotified(deadline.left());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            insideClose.remove(Thread.currentThread());
        }
    }

    private void endWork() {
        partitions.forEach(partition -> partition.gate.close());
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
                fences.close(LAST_FENCE_LIMIT);
            } finally {
                tasks.awaitEnd(Deadline.after(LAST_TASK_LIMIT, clock));
                closed.countDown();
            }
        }
    }

    private synchronized boolean hasStarted() {
        return started;
    }

    /** Waits, with a limit, until the close by another thread is done. */
    private void awaitOthersClose() {
        Duration longest = longestClose();
        try {
            if (!closed.await(longest.toNanos(), TimeUnit.NANOSECONDS)) {
                log.warn("Group {}: still closing after {}", settings.groupId(), Problem.text(longest));
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
            ended &= partition.gate.awaitIdle(deadline);
        }
        if (!ended) {
            throw new NeliException(
                    "the previous start of this election has not ended " + Problem.text(settings.handoverTimeout())
                            + " after its close: " + running(),
                    "let work and listeners end when they are interrupted, and start again");
        }
    }

    /** The work and listeners that run, for messages; empty if there are none. */
    private String running() {
        List<String> names = new ArrayList<>();
        partitions.forEach(partition -> names.addAll(partition.gate.whereWorkRuns()));
        if (events.isBusy()) {
            names.add("a listener on thread '" + settings.threadName("events") + "'");
        }
        return String.join(", ", names);
    }
}
