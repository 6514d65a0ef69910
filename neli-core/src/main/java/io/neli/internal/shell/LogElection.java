package io.neli.internal.shell;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

import io.neli.LeaderEvent;
import io.neli.NeliMetrics;
import io.neli.internal.election.ElectionState;
import io.neli.internal.election.LogId;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.PartitionState;
import io.neli.internal.election.Term;
import org.jspecify.annotations.Nullable;

/**
 * One start of one member: its election, on logs of any kind. Started once and closed once; all methods may be called from any
 * thread.
 */
public final class LogElection {

    /** Beyond the handover itself: for the clients to close. */
    private static final Duration CLOSE_MARGIN = Duration.ofSeconds(5);

    private final ShellSettings settings;
    private final MemberClock clock;
    private final Logs logs;
    private final Problems problems;
    private final IgnoredRecords ignored;
    private final ElectionThread electionThread;
    private final ElectionDriver driver;
    private final Thread thread;

    /**
     * A member that has not been started.
     *
     * @param events receives each change of a partition's leadership, in order, on the election's thread; must return at once
     * @param leaders receives each change of who is known to lead, in the same way
     * @param metrics must return at once and never throw
     * @param problems where the logs report problems, too
     */
    public LogElection(
            ShellSettings settings,
            MemberClock clock,
            Consumer<LeaderEvent> events,
            KnownLeaders.Report leaders,
            NeliMetrics metrics,
            Problems problems,
            Logs logs) {
        this.settings = settings;
        this.clock = clock;
        this.logs = logs;
        this.problems = problems;
        this.ignored = new IgnoredRecords(settings);
        this.electionThread = new ElectionThread(
                settings,
                logs,
                () -> new MemberId(settings.name(), Incarnation.drawn(clock.now())),
                clock,
                new ElectionDriver.Effects(events, leaders, metrics, logs::rejoin, ignored, problems));
        this.driver = electionThread.driver();
        this.thread = DaemonThread.of(settings.threadName("log"), electionThread);
    }

    public void start() {
        logs.start(driver);
        thread.start();
    }

    /** This start of the member, or what it went on as. */
    public MemberId self() {
        return driver.self();
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
        DaemonThread.join(thread, limit.plus(CLOSE_MARGIN));
        logs.close();
    }

    /** The token of the term that this member leads on the partition at this moment. */
    public OptionalLong leads(int partition) {
        return driver.leads(partition);
    }

    /** Whether work of that term of this member may go on at this moment, also in a handover. */
    public boolean lasts(int partition, long token) {
        return driver.lasts(partition, token);
    }

    /** The term that is led on the partition now, by any member, as far as this one knows. */
    public Optional<Term> leader(int partition) {
        PartitionState current = driver.state().partitions().get(partition);
        return Optional.ofNullable(current.ledAt(clock.now(), driver.self()));
    }

    /** What the election knows. */
    public ElectionState state() {
        return driver.state();
    }

    public Moment now() {
        return clock.now();
    }

    /** Whether the logs are read and written. */
    public boolean isRunning() {
        return electionThread.isRunning();
    }

    /** Whether this member reads the log, and what it writes arrives; a failure is noticed after some leases. */
    public boolean isReadable(LogId log) {
        return isRunning()
                && state().partitions().get(log.partition()).isOpen(log.log())
                && !electionThread.lostLogs().contains(log);
    }

    /** What keeps the member from using the logs. */
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
}
