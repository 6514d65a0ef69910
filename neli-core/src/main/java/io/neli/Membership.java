package io.neli;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.neli.kafka.MemberClock;
import io.neli.kafka.MemberEngine;
import io.neli.kafka.MemberSettings;
import io.neli.protocol.ElectionSettings;
import io.neli.protocol.MemberId;
import io.neli.protocol.Mode;
import io.neli.protocol.Term;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One start of a {@link KafkaNeli}: what it leads, the work and the tasks in it, and its end. */
final class Membership {

    private static final Logger log = LoggerFactory.getLogger(Membership.class);

    /** How many leases a member stands back whose listener could not prepare, or whose work hangs. */
    private static final int LEASES_AFTER_FAILURE = 10;

    /** Beyond the handover and a lease, which the engine may take. */
    private static final Duration CLOSE_MARGIN = Duration.ofSeconds(5);

    /** The handover has waited for it already; what still runs then has outlived the handover timeout. */
    private static final Duration LAST_TASK_LIMIT = Duration.ofMillis(100);

    private final MemberSettings settings;
    private final ElectionSettings election;
    private final Roles roles;
    private final MemberEngine engine;
    private final WorkLimit limit;
    private final EventThread events;
    private final FenceThreads fences;
    private final List<LedPartition> partitions;
    private final Set<RepeatedTask> tasks = ConcurrentHashMap.newKeySet();
    private final AtomicInteger taskNumber = new AtomicInteger();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * A membership that begins.
     *
     * @param previous the one before it, which may still be closing; null if there was none
     */
    Membership(MemberSettings settings, ApplicationSettings application, @Nullable Membership previous) {
        this.settings = settings;
        this.election = settings.election();
        this.roles = application.roles();
        this.engine = new MemberEngine(
                settings,
                MemberClock.system(),
                (partition, event) -> led(partition).onEvent(event),
                application.metrics());
        this.limit =
                new WorkLimit(application.workLimit(), election.lease(), threadName("work-limit"), this::standBack);
        this.events = new EventThread(threadName("events"), settings.groupId(), application.listeners(), limit);
        this.fences = new FenceThreads(threadName("fence"));
        Interrupts interrupts = new Interrupts(application.interruptOnFence(), fences);
        this.partitions = IntStream.range(0, election.agreement().partitions())
                .mapToObj(partition -> new LedPartition(
                        partition,
                        roles.announcedOn(partition),
                        token -> engine.leads(partition).orElse(Term.NONE) == token,
                        events,
                        new WorkGate(
                                interrupts, token -> engine.drained(partition, token), limit, application.metrics()),
                        application.metrics(),
                        this::standBack))
                .toList();
        if (previous != null) {
            events.first(previous::awaitClosed); // listeners hear of one thing at a time
        }
    }

    private String threadName(String purpose) {
        return "neli-" + election.self().name() + "-" + purpose;
    }

    private LedPartition led(int partition) {
        return partitions.get(partition);
    }

    /** The application is not fit to lead: hands over all that is led, and stands again later. */
    private void standBack() {
        engine.resign(election.lease().multipliedBy(LEASES_AFTER_FAILURE));
    }

    void start() {
        events.start();
        engine.start();
    }

    MemberEngine engine() {
        return engine;
    }

    boolean isClosing() {
        return closing.get();
    }

    /** Where the role is led. */
    LedPartition partitionOf(String role) {
        return led(roles.partitionOf(role));
    }

    Optional<LeaderWork> beginWork(String role) {
        return partitionOf(role).gate().enter(role);
    }

    BackgroundTask background(String role, LeaderTask task) {
        RepeatedTask repeated = new RepeatedTask(
                task,
                partitionOf(role).gate(),
                role,
                threadName("background-" + taskNumber.incrementAndGet()),
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

    Optional<Leader> leader(String role) {
        return engine.leader(roles.partitionOf(role)).map(term -> leader(role, term));
    }

    NeliSnapshot snapshot() {
        return Snapshots.of(settings, roles, engine);
    }

    private Leader leader(String role, Term term) {
        MemberId holder = term.holder();
        return new Leader(role, holder.name(), term.token(), holder.equals(election.self()));
    }

    /** Hands over and disconnects; at once if the caller is what would have to be waited for. */
    void close() {
        boolean first = !closing.getAndSet(true);
        if (election.agreement().mode() == Mode.EXCLUSIVE) {
            endWork(); // in the other mode work goes on until the next leader is there
        }
        partitions.forEach(LedPartition::closing);
        if (events.isCaller() || isCallerAtWork()) {
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

    private boolean isCallerAtWork() {
        return partitions.stream().anyMatch(partition -> partition.gate().isCallerInside());
    }

    private void endWork() {
        partitions.forEach(partition -> partition.gate().close());
        tasks.forEach(RepeatedTask::stop);
    }

    private void closeNow() {
        try {
            engine.close();
            endWork();
            events.close();
            limit.close();
            fences.close();
        } finally {
            awaitTasks();
            closed.countDown();
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
        Duration longest = election.handoverTimeout().plus(election.lease()).plus(CLOSE_MARGIN);
        try {
            if (!closed.await(longest.toNanos(), TimeUnit.NANOSECONDS)) {
                log.warn("Group {}: still closing after {}", settings.groupId(), longest);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
