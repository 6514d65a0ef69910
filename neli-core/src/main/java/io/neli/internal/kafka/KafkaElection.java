package io.neli.internal.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.neli.LeaderEvent;
import io.neli.NeliMetrics;
import io.neli.internal.election.ElectionState;
import io.neli.internal.election.LogId;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.MemberMetadata;
import io.neli.internal.election.MemberPlan;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.PartitionState;
import io.neli.internal.election.Term;
import org.jspecify.annotations.Nullable;

/**
 * One start of one member on Kafka: its three threads and what they share. Started once and closed once; all methods may be
 * called from any thread.
 */
public final class KafkaElection {

    /** Beyond the handover itself: for the clients to close. */
    private static final Duration CLOSE_MARGIN = Duration.ofSeconds(5);

    private final KafkaSettings settings;
    private final MemberId self;
    private final MemberClock clock;
    private final ClientProperties properties;
    private final Problems problems;
    private final IgnoredRecords ignored;
    private final NameCheck names;
    private final ElectionThread electionThread;
    private final ElectionDriver driver;
    private final GroupMember group;
    private final Watchdog watchdog;
    private final Thread logThread;
    private final Thread groupThread;
    private final Thread watchdogThread;
    private final AtomicBoolean groupStarted = new AtomicBoolean();

    /**
     * A member that has not been started.
     *
     * @param events receives each change of a partition's leadership, in order, on the election's thread; must return at once
     * @param metrics must return at once and never throw
     */
    public KafkaElection(KafkaSettings settings, MemberClock clock, Consumer<LeaderEvent> events, NeliMetrics metrics) {
        this(settings, clock, events, metrics, new KafkaClients());
    }

    KafkaElection(
            KafkaSettings settings,
            MemberClock clock,
            Consumer<LeaderEvent> events,
            NeliMetrics metrics,
            KafkaClients clients) {
        this.settings = settings;
        this.self = new MemberId(settings.name(), UUID.randomUUID());
        this.clock = clock;
        this.problems = new Problems(settings.groupId());
        this.ignored = new IgnoredRecords(settings.topic());
        this.names = new NameCheck(settings, clock, problems);
        this.properties = new ClientProperties(settings);
        Map<String, Object> groupProperties = properties.group(new InGroup());
        this.group =
                new GroupMember(() -> clients.consumer(groupProperties), settings, clock, problems, this::checkName);
        this.electionThread = new ElectionThread(
                settings,
                properties,
                clients,
                self,
                clock,
                new ElectionDriver.Effects(events, metrics, group::rejoin, ignored, problems),
                this::joinGroup,
                group::close);
        this.driver = electionThread.driver();
        this.watchdog = new Watchdog(
                clock,
                electionThread::pollDeadline,
                electionThread::wakeup,
                settings.election().heartbeatInterval().dividedBy(4),
                settings.election().leaseDuration().dividedBy(4));
        this.logThread = thread("log", electionThread);
        this.groupThread = thread("group", group);
        this.watchdogThread = thread("watchdog", watchdog);
    }

    private Thread thread(String purpose, Runnable work) {
        return DaemonThread.of("neli-" + settings.name() + "-" + purpose, work);
    }

    /** Called again after each reconnect; the first time counts. */
    private void joinGroup() {
        if (!groupStarted.getAndSet(true)) {
            groupThread.start();
        }
    }

    public void start() {
        properties.logOverridden();
        logThread.start();
        watchdogThread.start();
    }

    /** This start of the member. */
    public MemberId self() {
        return self;
    }

    /**
     * All work of a revoked or fenced term has ended, and all listeners have been notified of the end.
     *
     * @param fenced whether that includes the listeners of a fence
     */
    public void drained(int partition, long token, boolean fenced) {
        driver.drained(partition, token, fenced);
    }

    /** Not eligible for the partition, or for any if that is null, until the cooldown is over. */
    public void resign(@Nullable Integer partition, Duration cooldown) {
        driver.resign(partition, cooldown);
    }

    /** Not eligible for the partition, or for any if that is null, while that is paused. */
    public void pause(@Nullable Integer partition, boolean paused) {
        driver.pause(partition, paused);
    }

    /** Not eligible while it is no candidate. */
    public void candidate(boolean candidate) {
        driver.candidate(candidate);
    }

    /**
     * Hands over, leaves the group and closes the clients; returns when that is done or has timed out.
     */
    public void close() {
        Duration limit =
                settings.election().handoverTimeout().plus(settings.election().leaseDuration());
        electionThread.close(limit);
        join(logThread, limit.plus(CLOSE_MARGIN));
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
        return driver.leads(partition);
    }

    /** The term that is led on the partition now, by any member, as far as this one knows. */
    public Optional<Term> leader(int partition) {
        PartitionState current = driver.state().partitions().get(partition);
        return Optional.ofNullable(current.ledAt(clock.now(), self));
    }

    /** What the election knows. */
    public ElectionState state() {
        return driver.state();
    }

    public Moment now() {
        return clock.now();
    }

    /** Whether the leader topic is read and written. */
    public boolean isRunning() {
        return electionThread.isRunning();
    }

    /** Whether this member reads the log, and what it writes arrives; a failure is noticed after some leases. */
    public boolean isReadable(LogId log) {
        return isRunning()
                && state().partitions().get(log.partition()).isOpen(log.log())
                && !electionThread.lostLogs().contains(log);
    }

    /** What keeps the member from using the leader topic. */
    public Optional<Problem> logProblem() {
        return problems.of(Problems.Source.LOG).or(() -> problems.of(Problems.Source.ALL_PARTITIONS));
    }

    /** What keeps the member from working or needs attention. */
    public Optional<String> problem() {
        return problems.mostSerious().map(Problem::text);
    }

    /** How many records were ignored, by kind. */
    public Map<String, Long> ignoredRecords() {
        return ignored.counts();
    }

    private void checkName() {
        names.check(driver.state().plan());
    }

    /** What the member sends to the group and receives from it. */
    private final class InGroup implements NeliAssignor.Delegate {

        @Override
        public MemberMetadata metadata() {
            group.joining();
            ElectionState state = driver.state();
            MonotonicTime now = clock.time();
            Map<Integer, Long> leading = new HashMap<>();
            for (int partition = 0; partition < settings.partitions(); partition++) {
                int number = partition;
                leads(partition).ifPresent(token -> leading.put(number, token));
            }
            return new MemberMetadata(
                    self,
                    state.eligibility().isEligibleAt(now),
                    state.excludedAt(now),
                    settings.priority(),
                    leading,
                    settings.election().groupConfig().fingerprint(),
                    settings.partitions());
        }

        @Override
        public void assigned(MemberPlan plan) {
            group.joined();
            problems.clear(Problems.Source.GROUP);
            names.assigned();
            driver.assigned(plan);
        }
    }
}
