package io.neli.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

import io.neli.protocol.Assignment;
import io.neli.protocol.ElectionState;
import io.neli.protocol.Moment;
import io.neli.protocol.MonotonicTime;
import io.neli.protocol.PartitionState;
import io.neli.protocol.Subscription;
import io.neli.protocol.Term;

/**
 * One start of one member: the three threads that belong to it and what they share. Started once and closed once; all
 * methods may be called from any thread.
 */
public final class MemberEngine {

    /** Beyond the handover itself: for the clients to close. */
    private static final Duration CLOSE_MARGIN = Duration.ofSeconds(5);

    private final MemberSettings settings;
    private final MemberClock clock;
    private final ClientProperties properties;
    private final Problems problems;
    private final IgnoredRecords ignored;
    private final ElectionLoop loop;
    private final Crank crank;
    private final GroupMember group;
    private final Watchdog watchdog;
    private final Thread loopThread;
    private final Thread groupThread;
    private final Thread watchdogThread;
    private final AtomicBoolean groupStarted = new AtomicBoolean();
    private volatile MonotonicTime assignedAt = MonotonicTime.PAST;

    public MemberEngine(MemberSettings settings, MemberClock clock, EventSink events, Measurements measurements) {
        this(settings, clock, events, measurements, new KafkaClients());
    }

    MemberEngine(
            MemberSettings settings,
            MemberClock clock,
            EventSink events,
            Measurements measurements,
            KafkaClients clients) {
        this.settings = settings;
        this.clock = clock;
        this.problems = new Problems(settings.groupId());
        this.ignored = new IgnoredRecords(settings.topic());
        this.properties = new ClientProperties(settings);
        Map<String, Object> groupProperties = properties.group(new InGroup());
        this.group = new GroupMember(() -> clients.consumer(groupProperties), settings, problems, this::checkName);
        this.loop = new ElectionLoop(
                settings,
                properties,
                clients,
                new Crank.Surroundings(clock, events, measurements, group::rejoin, ignored, problems),
                new LogProgress());
        this.crank = loop.crank();
        this.watchdog = new Watchdog(
                loop::pollDeadlineNanos,
                loop::wakeup,
                settings.election().heartbeatInterval().toNanos() / 4);
        this.loopThread = thread("log", loop);
        this.groupThread = thread("group", group);
        this.watchdogThread = thread("watchdog", watchdog);
    }

    private Thread thread(String purpose, Runnable work) {
        Thread thread = new Thread(work, "neli-" + settings.memberName() + "-" + purpose);
        thread.setDaemon(true);
        return thread;
    }

    public void start() {
        properties.logOverridden();
        loopThread.start();
        watchdogThread.start();
    }

    /** The work of a term that was revoked or fenced has ended, and all listeners have heard of it. */
    public void drained(int partition, long token) {
        crank.drained(partition, token);
    }

    /** Does not stand until the cooldown is over. */
    public void resign(Duration cooldown) {
        crank.resign(cooldown);
    }

    /** Does not stand while it is paused. */
    public void pause(boolean paused) {
        crank.pause(paused);
    }

    /**
     * Hands over, leaves the group and closes the clients; returns when all that is done, or when the time it may take is
     * over.
     */
    public void close() {
        Duration limit =
                settings.election().handoverTimeout().plus(settings.election().lease());
        loop.close(limit);
        join(loopThread, limit.plus(CLOSE_MARGIN));
        group.close();
        watchdog.close();
        if (groupStarted.get()) {
            join(groupThread, CLOSE_MARGIN);
        }
        join(watchdogThread, CLOSE_MARGIN);
    }

    private static void join(Thread thread, Duration limit) {
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(limit.toMillis());
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (thread.isAlive()) {
            thread.interrupt();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The token of the term that this member leads on the partition at this moment. */
    public OptionalLong leads(int partition) {
        long token = crank.state().partitions().get(partition).leadingAt(clock.now());
        return token == Term.NONE ? OptionalLong.empty() : OptionalLong.of(token);
    }

    /** The term that is led on the partition, by whomever, as far as this member knows. */
    public Optional<Term> leader(int partition) {
        PartitionState current = crank.state().partitions().get(partition);
        return Optional.ofNullable(
                current.ledAt(clock.now(), settings.election().self()));
    }

    /** What the election knows. */
    public ElectionState state() {
        return crank.state();
    }

    public Moment now() {
        return clock.now();
    }

    /** Whether the leader topic is read and written. */
    public boolean isRunning() {
        return loop.isRunning();
    }

    /** Whether the leader topic cannot be used, though it was tried. */
    public boolean isFailing() {
        return logProblem().isPresent();
    }

    /** What keeps the member from using the leader topic. */
    public Optional<Problem> logProblem() {
        return problems.of(Problems.Source.LOG).or(() -> problems.of(Problems.Source.ALL_PARTITIONS));
    }

    /** What keeps the member from working or wants attention. */
    public Optional<String> problem() {
        return problems.gravest().map(Problem::text);
    }

    /** By kind, how many records were read and not heeded. */
    public Map<String, Long> ignoredRecords() {
        return ignored.counts();
    }

    /**
     * Another member under this one's name may be its own last start, which died without a word: the group forgets that
     * after the session timeout, and finishes another assignment.
     */
    private void checkName() {
        Assignment assignment = crank.state().assignment();
        if (assignment == null || assignment.twinsOf(settings.election().self()).isEmpty()) {
            problems.clear(Problems.Source.NAME);
        } else if (clock.now().time().hasReached(assignedAt.plus(ClientProperties.SESSION_TIMEOUT.plusSeconds(1)))) {
            problems.report(
                    Problems.Source.NAME,
                    new Problem(
                            "neli.name is '" + settings.memberName() + "': another live member has this name",
                            "give each instance its own, or leave the setting out",
                            true));
        }
    }

    /** The group comes second and goes first. */
    private final class LogProgress implements ElectionLoop.Progress {

        /** A member that has read the log joins knowing whether it stands. */
        @Override
        public void opened() {
            if (!groupStarted.getAndSet(true)) {
                groupThread.start();
            }
        }

        /** It is left while the log's clients close. */
        @Override
        public void settled() {
            group.close();
        }
    }

    /** What the member says and hears in the group. */
    private final class InGroup implements NeliAssignor.Delegate {

        @Override
        public Subscription subscription() {
            group.joining();
            ElectionState state = crank.state();
            Map<Integer, Long> leading = new HashMap<>();
            for (int partition = 0; partition < settings.partitions(); partition++) {
                int number = partition;
                leads(partition).ifPresent(token -> leading.put(number, token));
            }
            return new Subscription(
                    settings.election().self(),
                    state.candidacy().standsAt(clock.now().time()),
                    leading,
                    settings.election().agreement());
        }

        @Override
        public void assigned(Assignment assignment) {
            group.joined();
            problems.clear(Problems.Source.GROUP);
            assignedAt = clock.now().time();
            crank.assigned(assignment);
        }
    }
}
