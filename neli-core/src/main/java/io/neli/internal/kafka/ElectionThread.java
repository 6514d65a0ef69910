package io.neli.internal.kafka;

import java.time.Duration;
import java.util.stream.IntStream;

import io.neli.internal.election.MemberId;
import io.neli.internal.election.MonotonicTime;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects to the log, reads it and steps the {@link ElectionDriver}, on one thread: the election's next deadline is the
 * reader's poll timeout. When a client dies or the log is gone it connects again, until the member is closed.
 */
final class ElectionThread implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(ElectionThread.class);

    private static final Duration LONGEST_POLL = Duration.ofSeconds(1);
    private static final Duration RETRY_POLL = Duration.ofMillis(5);
    private static final long SHORTEST_BACKOFF_MILLIS = 50;
    private static final long LONGEST_BACKOFF_MILLIS = 5_000;

    private final KafkaSettings settings;
    private final ClientProperties properties;
    private final KafkaClients clients;
    private final MemberClock clock;
    private final Problems problems;
    private final Runnable opened;
    private final Runnable settled;
    private final LeaderTopic leaderTopic;
    private final LogFailure failure;
    private final ElectionDriver driver;
    private final Connecting connecting = new Connecting();

    private volatile boolean running;
    private volatile @Nullable LogReader reader;
    private volatile MonotonicTime pollDeadline = MonotonicTime.NEVER;
    private volatile MonotonicTime giveUpAt = MonotonicTime.NEVER;
    private volatile boolean closing;

    /**
     * An election that has not begun.
     *
     * @param opened called on this thread when the log is read and written; called again after each reconnect
     * @param settled called on this thread when everything has been handed over and only the clients remain to be closed
     */
    ElectionThread(
            KafkaSettings settings,
            ClientProperties properties,
            KafkaClients clients,
            MemberId self,
            MemberClock clock,
            ElectionDriver.Effects effects,
            Runnable opened,
            Runnable settled) {
        this.settings = settings;
        this.properties = properties;
        this.clients = clients;
        this.clock = clock;
        this.problems = effects.problems();
        this.opened = opened;
        this.settled = settled;
        this.leaderTopic = new LeaderTopic(settings);
        this.failure = new LogFailure(settings);
        this.driver = new ElectionDriver(settings, self, clock, effects, this::wakeup);
    }

    ElectionDriver driver() {
        return driver;
    }

    /** Whether the leader topic is read and written. */
    boolean isRunning() {
        return running;
    }

    /** Until when the reader may sleep; {@link MonotonicTime#NEVER} while it does not. */
    MonotonicTime pollDeadline() {
        return pollDeadline;
    }

    /** Hands over and ends; gives up waiting for the handover after the limit. */
    void close(Duration limit) {
        giveUpAt = clock.time().plus(limit);
        closing = true;
        driver.close();
        connecting.close();
    }

    /** Ends the reader's sleep; from any thread. */
    void wakeup() {
        LogReader current = reader;
        if (current != null) {
            current.wakeup();
        }
    }

    @Override
    public void run() {
        long backoff = SHORTEST_BACKOFF_MILLIS;
        while (!isFinished()) {
            MonotonicTime start = clock.time();
            try {
                connectAndRun();
                waitBeforeReconnect(backoff);
            } catch (Throwable e) { // also a checked exception, from Kotlin: nothing may end the election
                log.error("Group {}: the election goes on after an unexpected failure", settings.groupId(), e);
            }
            boolean lasted = start.until(clock.time()).toMillis() > 2 * LONGEST_BACKOFF_MILLIS;
            backoff = lasted ? SHORTEST_BACKOFF_MILLIS : Math.min(2 * backoff, LONGEST_BACKOFF_MILLIS);
        }
    }

    private void connectAndRun() {
        try (LogConnection connection =
                connecting.call(() -> LogConnection.connect(settings, clock, leaderTopic, properties, clients))) {
            runWhileConnected(connection);
            settled.run();
        } catch (InterruptedException | InterruptException e) {
            log.debug("Group {}: interrupted by its close", settings.groupId());
        } catch (Throwable e) {
            problems.report(Problems.Source.LOG, failure.of(e));
            log.debug("Group {}: the log's clients are rebuilt", settings.groupId(), e);
        } finally {
            disconnected();
        }
    }

    private boolean isFinished() {
        return closing
                && driver.isClosing()
                && (driver.isSettled() || clock.time().hasReached(giveUpAt));
    }

    private void runWhileConnected(LogConnection connection) throws InterruptedException {
        LogCheck check = new LogCheck(connection.writer(), settings, clock, problems, connection::suspect);
        driver.writeTo(connection.writer());
        driver.step(connecting.call(connection::open));
        reader = connection.reader();
        running = true;
        opened.run();
        while (!isFinished()) {
            driver.takeMessages();
            LogReader.Batch batch = poll(connection);
            if (batch instanceof LogReader.Batch.Read read) {
                driver.step(read.records());
                check.reading(read);
            } else if (batch instanceof LogReader.Batch.Gap gap) {
                log.warn(
                        "Group {}: the records to be read next are gone, partitions {}",
                        settings.groupId(),
                        gap.partitions());
                driver.lost(gap.partitions());
                connection.lost(gap.partitions());
            }
            driver.step(connection.reopenLost());
            check.reopening(connection.lostForLong());
            driver.timePassed();
            check.writing();
        }
    }

    private LogReader.Batch poll(LogConnection connection) {
        Duration timeout = driver.timeUntilDeadline();
        timeout = timeout.compareTo(LONGEST_POLL) < 0 ? timeout : LONGEST_POLL;
        boolean unsent = connection.writer().retry();
        if ((unsent || connection.isUnsettled()) && timeout.compareTo(RETRY_POLL) > 0) {
            timeout = RETRY_POLL;
        }
        // A message that came before there was a reader to wake must not wait.
        Duration sleep = driver.hasMessages() ? Duration.ZERO : timeout;
        pollDeadline = clock.time().plus(sleep);
        try {
            return connection.reader().poll(sleep);
        } finally {
            pollDeadline = MonotonicTime.NEVER;
        }
    }

    private void disconnected() {
        running = false;
        reader = null;
        driver.writeTo(null);
        driver.lost(IntStream.range(0, settings.partitions()).boxed().toList());
    }

    /** Serves messages meanwhile. */
    private void waitBeforeReconnect(long millis) {
        MonotonicTime until = clock.time().plus(Duration.ofMillis(millis));
        try {
            while (!clock.time().hasReached(until) && !isFinished()) {
                driver.awaitMessage(clock.time().until(until).toNanos());
            }
        } catch (InterruptedException e) {
            log.debug("Group {}: interrupted while it waited", settings.groupId());
        }
    }
}
