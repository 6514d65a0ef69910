package io.neli.kafka;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects to the log, reads it and turns the {@link Crank}, on one thread: the election's next deadline is the reader's poll
 * timeout. When a client dies or the log is gone it connects anew, until the member is closed.
 */
final class ElectionLoop implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(ElectionLoop.class);

    private static final Duration LONGEST_POLL = Duration.ofSeconds(1);
    private static final Duration RETRY_POLL = Duration.ofMillis(5);
    private static final long SHORTEST_BACKOFF_MILLIS = 50;
    private static final long LONGEST_BACKOFF_MILLIS = 5_000;

    /** Who hears how the loop is doing; on its thread. */
    interface Progress {

        /** The log is read and written; may be called again after a loss. */
        void opened();

        /** All is handed over that was to be; what is left to do is to close the clients. */
        void settled();
    }

    private final MemberSettings settings;
    private final ClientProperties properties;
    private final KafkaClients clients;
    private final Problems problems;
    private final Progress progress;
    private final LeaderTopic leaderTopic;
    private final LogFailure failure;
    private final Crank crank;
    private final Connecting connecting = new Connecting();

    private volatile boolean running;
    private volatile @Nullable LogReader reader;
    private volatile long pollDeadlineNanos = Watchdog.AWAKE;
    private volatile long giveUpNanos;
    private volatile boolean closing;

    ElectionLoop(
            MemberSettings settings,
            ClientProperties properties,
            KafkaClients clients,
            Crank.Surroundings around,
            Progress progress) {
        this.settings = settings;
        this.properties = properties;
        this.clients = clients;
        this.problems = around.problems();
        this.progress = progress;
        this.leaderTopic = new LeaderTopic(settings);
        this.failure = new LogFailure(settings);
        this.crank = new Crank(settings, around, this::wakeup);
    }

    Crank crank() {
        return crank;
    }

    /** Whether the leader topic is read and written. */
    boolean isRunning() {
        return running;
    }

    /** Until when the reader may sleep, by {@link System#nanoTime}; {@link Watchdog#AWAKE} while it does not. */
    long pollDeadlineNanos() {
        return pollDeadlineNanos;
    }

    /** Hands over and ends; gives up waiting for the handover after the limit. */
    void close(Duration limit) {
        giveUpNanos = System.nanoTime() + limit.toNanos();
        closing = true;
        crank.close();
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
            long start = System.nanoTime();
            try {
                connectAndTurn();
                waitBeforeReconnect(backoff);
            } catch (Throwable e) { // whatever it is must not end the election, also a checked one from Kotlin
                log.error("Group {}: the election goes on after an unexpected failure", settings.groupId(), e);
            }
            boolean lasted = System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(2 * LONGEST_BACKOFF_MILLIS);
            backoff = lasted ? SHORTEST_BACKOFF_MILLIS : Math.min(2 * backoff, LONGEST_BACKOFF_MILLIS);
        }
    }

    private void connectAndTurn() {
        try (LogConnection connection =
                connecting.call(() -> LogConnection.connect(settings, leaderTopic, properties, clients))) {
            turnWhileConnected(connection);
            progress.settled();
        } catch (InterruptedException | InterruptException e) {
            log.debug("Group {}: interrupted, as it is to close", settings.groupId());
        } catch (Throwable e) {
            problems.report(Problems.Source.LOG, failure.of(e));
            log.debug("Group {}: the log's clients are rebuilt", settings.groupId(), e);
        } finally {
            disconnected();
        }
    }

    private boolean isFinished() {
        return closing && crank.isClosing() && (crank.isSettled() || System.nanoTime() - giveUpNanos > 0);
    }

    private void turnWhileConnected(LogConnection connection) throws InterruptedException {
        LogCheck check = new LogCheck(connection.writer(), settings, problems, connection::suspect);
        crank.writeTo(connection.writer());
        crank.step(connecting.call(connection::open));
        reader = connection.reader();
        running = true;
        progress.opened();
        while (!isFinished()) {
            crank.takeMessages();
            LogReader.Batch batch = poll(connection);
            if (batch instanceof LogReader.Batch.Read read) {
                crank.step(read.records());
                check.reading(read);
            } else if (batch instanceof LogReader.Batch.Gap gap) {
                log.warn(
                        "Group {}: records that were to be read next are gone, partitions {}",
                        settings.groupId(),
                        gap.partitions());
                crank.lost(gap.partitions());
                connection.lost(gap.partitions());
            }
            crank.step(connection.reopenLost());
            check.reopening(connection.lostForLong());
            crank.timePassed();
            check.writing();
        }
    }

    private LogReader.Batch poll(LogConnection connection) {
        Duration timeout = crank.timeUntilDeadline();
        timeout = timeout.compareTo(LONGEST_POLL) < 0 ? timeout : LONGEST_POLL;
        boolean unsent = connection.writer().retry();
        if ((unsent || connection.isUnsettled()) && timeout.compareTo(RETRY_POLL) > 0) {
            timeout = RETRY_POLL;
        }
        // A message that came before the reader was there to be woken must not wait.
        Duration sleep = crank.hasMessages() ? Duration.ZERO : timeout;
        pollDeadlineNanos = System.nanoTime() + sleep.toNanos();
        try {
            return connection.reader().poll(sleep);
        } finally {
            pollDeadlineNanos = Watchdog.AWAKE;
        }
    }

    private void disconnected() {
        running = false;
        reader = null;
        crank.writeTo(null);
        crank.lost(IntStream.range(0, settings.partitions()).boxed().toList());
    }

    /** Goes on to serve messages meanwhile. */
    private void waitBeforeReconnect(long millis) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            for (long left = until - System.nanoTime(); left > 0 && !isFinished(); left = until - System.nanoTime()) {
                crank.awaitMessage(left);
            }
        } catch (InterruptedException e) {
            log.debug("Group {}: interrupted while it waited", settings.groupId());
        }
    }
}
