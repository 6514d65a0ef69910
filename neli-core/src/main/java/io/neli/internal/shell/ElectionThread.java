package io.neli.internal.shell;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

import io.neli.internal.election.LogId;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.Rehearsal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one start of a member, on logs of any kind: reads them and steps the {@link ElectionDriver}, on one thread. It
 * waits for records until the election's next deadline at the latest. After a connection fails, it connects again until
 * the member is closed, and steps the rules on time meanwhile. Started once and closed once; all methods may be called
 * from any thread.
 */
public final class ElectionThread implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(ElectionThread.class);

    private static final Duration SHORTEST_BACKOFF = Duration.ofMillis(50);
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(5);

    /** How long the clients may take to close after the handover. */
    private static final Duration CLOSE_MARGIN = Duration.ofSeconds(5);

    private final ShellSettings settings;
    private final Logs logs;
    private final MemberClock clock;
    private final Problems problems;
    private final ElectionDriver driver;
    private final Thread thread;

    private boolean rehearsed;
    private MonotonicTime runningSince = MonotonicTime.NEVER;
    private volatile boolean running;
    private volatile MonotonicTime giveUpAt = MonotonicTime.NEVER;

    public ElectionThread(
            ShellSettings settings, Function<ElectionDriver, Logs> logs, MemberClock clock, Effects effects) {
        Supplier<MemberId> identities = () -> new MemberId(settings.name(), Incarnation.drawn(clock.now()));
        this.settings = settings;
        this.clock = clock;
        this.problems = effects.problems();
        this.driver = new ElectionDriver(settings, identities, clock, effects, logs);
        this.logs = driver.logs();
        this.thread = DaemonThread.of(settings.threadName("log"), this);
    }

    public void start() {
        thread.start();
    }

    /** Hands over, leaves the group and closes the clients; returns when that is done or has timed out. */
    public void close() {
        Duration limit =
                settings.election().handoverTimeout().plus(settings.election().leaseDuration());
        giveUpAt = clock.time().plus(limit);
        driver.close();
        DaemonThread.join(thread, limit.plus(CLOSE_MARGIN));
        logs.close();
    }

    public ElectionDriver driver() {
        return driver;
    }

    /** Whether a majority of the logs of at least one partition is read, and records can be written. */
    public boolean isRunning() {
        return running;
    }

    /** Whether this member reads the log and its records arrive there. A failure is noticed after some leases. */
    public boolean isReadable(LogId place) {
        return running && driver.isReadable(place);
    }

    @Override
    public void run() {
        Backoff backoff = new Backoff(SHORTEST_BACKOFF, LONGEST_BACKOFF);
        while (!isFinished()) {
            try {
                if (connectAndRun()) {
                    backoff.reset();
                }
                waitFor(() -> false, clock.time().plus(backoff.next()));
            } catch (InterruptedException e) {
                log.debug("Group {}: interrupted by its close", settings.groupId());
            } catch (Throwable e) { // even a checked exception, from Kotlin: nothing may end the election
                log.error("Group {}: the election continues after an unexpected failure", settings.groupId(), e);
            }
        }
        driver.lost(settings.logs()); // what was known of them is no longer valid
    }

    /** Returns whether the backoff starts over: the connection worked for longer than a lease, or nothing failed. */
    private boolean connectAndRun() throws Throwable {
        runningSince = MonotonicTime.NEVER;
        MemberId self = driver.self();
        try (Logs.Connection connection = connect()) {
            if (connection != null) {
                runWhileConnected(connection);
                logs.settled();
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) {
            log.debug("Group {}: connects again", settings.groupId(), e);
            if (e instanceof Logs.ConnectAgain) {
                return true; // nothing has failed
            }
            problems.report(Problems.Source.LOG, logs.describe(e));
        } finally {
            running = false;
            driver.use(null);
            if (!driver.self().equals(self)) { // however the connection has ended
                logs.renewed();
            }
        }
        return clock.time().hasReached(runningSince.plus(settings.election().leaseDuration()));
    }

    /** Returns null if the member was closed meanwhile. */
    private Logs.@Nullable Connection connect() throws Throwable {
        try (Connector connector = new Connector(settings.threadName("connect"), logs::connect, driver::wake)) {
            if (!rehearsed && settings.candidate()) { // while this thread has to wait anyway
                rehearsed = true; // not repeated even if it fails
                Rehearsal.run();
            }
            waitFor(connector::isDone, MonotonicTime.NEVER);
            return connector.take();
        }
    }

    /** Waits until it is done or the limit is over. Meanwhile, processes messages and steps the rules on time. */
    private void waitFor(BooleanSupplier done, MonotonicTime limit) throws InterruptedException {
        while (!done.getAsBoolean() && !isFinished() && !clock.time().hasReached(limit)) {
            Duration left = clock.time().until(limit);
            driver.awaitMessage(Collections.min(List.of(left, driver.timeUntilStep())));
            driver.timePassed();
        }
    }

    private boolean isFinished() {
        return driver.state().eligibility().closing()
                && (driver.state().isSettledAt(clock.now()) || clock.time().hasReached(giveUpAt));
    }

    private void runWhileConnected(Logs.Connection connection) throws InterruptedException {
        MemberId self = driver.self();
        connection.begin();
        driver.use(connection);
        while (!isFinished()) {
            driver.takeMessages();
            connection.open();
            if (!running && driver.hasOpenMajority()) {
                running = true;
                runningSince = clock.time();
                logs.opened();
            }
            // A message that arrived before this connection could be woken must not wait.
            connection.read(driver.timeUntilStep());
            driver.timePassed();
            if (!driver.self().equals(self)) {
                // The server may take what a copy of this client sends for what this one sends, and vice versa.
                throw new Logs.ConnectAgain("continues as " + driver.self());
            }
        }
    }
}
