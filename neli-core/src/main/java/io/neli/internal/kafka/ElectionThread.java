package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.neli.internal.election.Input;
import io.neli.internal.election.LogId;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.Rehearsal;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the log and steps the {@link ElectionDriver}, on one thread: the election's next deadline is the reader's poll timeout.
 * When a client dies it connects again, until the member is closed. That is no gap in the same topic: the next reader continues
 * where the last one ended, and the rules are stepped on time meanwhile.
 */
final class ElectionThread implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(ElectionThread.class);

    private static final Duration LONGEST_POLL = Duration.ofSeconds(1);
    private static final Duration SHORTEST_BACKOFF = Duration.ofMillis(50);
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(5);

    private final KafkaSettings settings;
    private final ClientProperties properties;
    private final KafkaClients clients;
    private final MemberClock clock;
    private final Problems problems;
    private final Runnable opened;
    private final Runnable settled;
    private final LeaderTopics leaderTopics;
    private final LogFailure failure;
    private final ElectionDriver driver;
    private final LogPositions positions = new LogPositions();
    private final Set<LogId> extended = new HashSet<>();

    private boolean rehearsed;
    private MonotonicTime runningSince = MonotonicTime.NEVER;
    private volatile boolean running;
    private volatile Set<LogId> lostLogs = Set.of();
    private volatile @Nullable LogReader reader;
    private volatile MonotonicTime pollDeadline = MonotonicTime.NEVER;
    private volatile MonotonicTime giveUpAt = MonotonicTime.NEVER;
    private volatile boolean closing;

    /**
     * An election that has not begun.
     *
     * @param opened called on this thread when a majority of the logs of a partition is read and records can be written;
     *     called again after each reconnect
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
        this.leaderTopics = new LeaderTopics(settings);
        this.failure = new LogFailure(settings);
        this.driver = new ElectionDriver(settings, self, clock, effects, this::wakeup, extended::add);
    }

    ElectionDriver driver() {
        return driver;
    }

    /** Whether a majority of the logs of at least one partition is read, and records can be written. */
    boolean isRunning() {
        return running;
    }

    /** The logs that do not work, although the connection does. */
    Set<LogId> lostLogs() {
        return lostLogs;
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
        Backoff backoff = new Backoff(SHORTEST_BACKOFF, LONGEST_BACKOFF);
        while (!isFinished()) {
            try {
                boolean lasted = connectAndRun();
                waitFor(() -> false, clock.time().plus(backoff.next(lasted)));
            } catch (InterruptedException | InterruptException e) {
                log.debug("Group {}: interrupted by its close", settings.groupId());
            } catch (Throwable e) { // also a checked exception, from Kotlin: nothing may end the election
                log.error("Group {}: the election continues after an unexpected failure", settings.groupId(), e);
            }
        }
        lost();
    }

    /** Returns whether the connection worked for longer than a lease. */
    private boolean connectAndRun() throws InterruptedException {
        runningSince = MonotonicTime.NEVER;
        try (LogConnection connection = connect()) {
            if (connection != null) {
                try {
                    runWhileConnected(connection);
                    settled.run();
                } finally {
                    lostFor(connection.topics(), LogReplacedException.class::isInstance);
                }
            }
        } catch (InterruptedException | InterruptException e) {
            throw e;
        } catch (Throwable e) {
            problems.report(Problems.Source.LOG, failure.of(e));
            log.debug("Group {}: the log's clients are rebuilt", settings.groupId(), e);
        } finally {
            running = false;
            reader = null;
            driver.writeTo(null);
        }
        return clock.time().hasReached(runningSince.plus(settings.election().leaseDuration()));
    }

    /** Returns null if the member was closed meanwhile. */
    private @Nullable LogConnection connect() throws Throwable {
        try (Connector connector = new Connector(
                "neli-" + settings.name() + "-connect",
                () -> LogConnection.connect(settings, clock, leaderTopics, properties, clients, this::wakeup),
                driver::wake)) {
            rehearse();
            waitFor(connector::isDone, MonotonicTime.NEVER);
            return connector.take();
        }
    }

    /** Once, while this thread has to wait anyway. */
    private void rehearse() {
        if (!rehearsed && settings.candidate()) {
            rehearsed = true; // it is not repeated if it fails
            Rehearsal.run();
        }
    }

    /** Serves messages and steps the rules on time meanwhile. */
    private void waitFor(BooleanSupplier done, MonotonicTime limit) throws InterruptedException {
        while (!done.getAsBoolean() && !isFinished() && !clock.time().hasReached(limit)) {
            Duration left = clock.time().until(limit);
            driver.awaitMessage(shorter(left, shorter(driver.timeUntilDeadline(), LONGEST_POLL)));
            driver.timePassed();
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private boolean isFinished() {
        return closing
                && driver.isClosing()
                && (driver.isSettled() || clock.time().hasReached(giveUpAt));
    }

    private void runWhileConnected(LogConnection connection) {
        LogCheck check = new LogCheck(connection.writer(), positions, settings, clock, problems, connection.topics());
        reader = connection.reader();
        continueReading(connection);
        driver.writeTo(connection.writer());
        while (!isFinished()) {
            driver.takeMessages();
            open(connection, check);
            LogReader.Batch batch = poll(connection);
            if (batch instanceof LogReader.Batch.Read read) {
                driver.step(read.records());
                positions.read(read.next());
                check.reading(read);
            } else {
                failedToRead(connection, batch);
            }
            check.report()
                    .report(
                            connection.closedFor(settings.election().leaseDuration()),
                            connection.topics().failures(),
                            connection.topics()::brokers);
            lostLogs = check.report().lostLogs();
            driver.timePassed();
            Set<LogId> stuck = check.writing();
            if (!stuck.isEmpty()) {
                log.warn("{}: these logs are written and not read, they are opened again, {}", name(), stuck);
                lost(stuck);
                connection.lost(stuck);
            }
        }
    }

    private void failedToRead(LogConnection connection, LogReader.Batch batch) {
        if (batch instanceof LogReader.Batch.Gap gap) {
            log.warn("{}: the records to be read next are gone, {}", name(), gap.logs());
            lost(gap.logs());
            connection.lost(gap.logs());
        } else if (batch instanceof LogReader.Batch.Corrupt corrupt) {
            log.warn("{}: corrupt records are skipped, {}", name(), corrupt);
            lost(Set.of(corrupt.log()));
            positions.skip(corrupt.log(), corrupt.offset());
            connection.corrupt(corrupt.log());
        } else if (batch instanceof LogReader.Batch.Refused refused) {
            refused.numbers().forEach(number -> connection.topics().fail(number, refused.why()));
        }
    }

    /** Where the last connection ended, if it was one to the same topics. A log that it did not open completely is opened. */
    private void continueReading(LogConnection connection) {
        Map<Integer, Uuid> topicIds = connection.topics().ids();
        for (int number = 0; number < settings.quorum(); number++) {
            Uuid id = topicIds.get(number);
            if (id == null) {
                lost(settings.logsOf(number));
            } else if (!positions.areOf(number, id)) {
                lost(settings.logsOf(number));
                positions.reset(number, id);
            }
        }
        positions.lost(positions.next().keySet().stream()
                .filter(place -> !driver.isOpen(place))
                .toList());
        connection.start(positions.next());
    }

    private void open(LogConnection connection, LogCheck check) {
        if (!extended.isEmpty()) {
            positions.extend(extended);
            connection.reopen(extended);
            extended.clear();
        }
        connection.topics().found().forEach((number, id) -> {
            if (!positions.areOf(number, id)) {
                positions.reset(number, id);
            }
            connection.reopen(settings.logsOf(number));
        });
        Map<LogId, Input.LogOpened> opened = connection.open(positions);
        lostFor(connection.topics(), why -> true).forEach(number -> connection.lost(settings.logsOf(number)));
        driver.step(opened);
        check.opened(opened.keySet());
        if (!running && positions.anyOpen(settings.majority())) {
            running = true;
            runningSince = clock.time();
            this.opened.run();
        }
    }

    private String name() {
        return "Group " + settings.groupId() + ", topics " + settings.topics();
    }

    private LogReader.Batch poll(LogConnection connection) {
        Duration timeout = shorter(shorter(driver.timeUntilDeadline(), LONGEST_POLL), connection.timeUntilOpening());
        if (connection.writer().retry()) {
            timeout = shorter(timeout, connection.writer().retryPause());
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

    /** Nothing that was known of the logs is valid. */
    private void lost() {
        lost(settings.logs());
    }

    /** The same of the logs whose topics cannot be used any more for such reasons; returns the numbers of these logs. */
    private Set<Integer> lostFor(ConnectedTopics topics, Predicate<@Nullable RuntimeException> reasons) {
        Set<Integer> numbers = topics.takeLost().stream()
                .filter(number -> reasons.test(topics.failures().get(number)))
                .collect(Collectors.toSet());
        numbers.forEach(number -> lost(settings.logsOf(number)));
        return numbers;
    }

    private void lost(Collection<LogId> logs) {
        driver.lost(logs);
        positions.lost(logs);
    }
}
