package io.neli.internal.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.neli.internal.election.Input;
import io.neli.internal.election.LogId;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.ElectionDriver;
import io.neli.internal.shell.Logs;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problems;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and writes the logs on one connection, and gives the election what happens there. Belongs to the election's thread. */
final class LogSession implements Logs.Connection {

    private static final Logger log = LoggerFactory.getLogger(LogSession.class);

    private final LogConnection connection;
    private final KafkaSettings settings;
    private final MemberClock clock;
    private final LogPositions positions;
    private final Set<LogId> extended;
    private final ElectionDriver driver;
    private final Consumer<@Nullable LogSession> uses;
    private final LogCheck check;
    private boolean begun;
    private volatile MonotonicTime pollDeadline = MonotonicTime.NEVER;

    /**
     * A session that has not begun.
     *
     * @param positions how far the logs have been read
     * @param extended the logs that are to be opened again, from further back
     * @param uses receives this session when it begins, and null when it ends
     */
    LogSession(
            LogConnection connection,
            KafkaSettings settings,
            MemberClock clock,
            Problems problems,
            LogPositions positions,
            Set<LogId> extended,
            ElectionDriver driver,
            Consumer<@Nullable LogSession> uses) {
        this.connection = connection;
        this.settings = settings;
        this.clock = clock;
        this.positions = positions;
        this.extended = extended;
        this.driver = driver;
        this.uses = uses;
        this.check = new LogCheck(connection.writer(), positions, settings, clock, problems, connection.topics());
    }

    /** Until when the reader may sleep; {@link MonotonicTime#NEVER} while it does not. */
    MonotonicTime pollDeadline() {
        return pollDeadline;
    }

    @Override
    public void wakeup() {
        connection.reader().wakeup();
    }

    /** Where the last connection ended, if it was one to the same topics. A log that it did not open completely is opened. */
    @Override
    public void begin() {
        begun = true;
        uses.accept(this);
        Map<Integer, Uuid> topicIds = connection.topics().ids();
        for (int number = 0; number < settings.shell().quorum(); number++) {
            Uuid id = topicIds.get(number);
            if (id == null) {
                lost(settings.shell().logsOf(number));
            } else if (!positions.areOf(number, id)) {
                lost(settings.shell().logsOf(number));
                positions.reset(number, id);
            }
        }
        positions.lost(positions.next().keySet().stream()
                .filter(place -> !driver.isOpen(place))
                .toList());
        connection.start(positions.next());
    }

    @Override
    public Logs.Writer writer() {
        return connection.writer();
    }

    @Override
    public void open() {
        if (!extended.isEmpty()) {
            positions.extend(extended);
            connection.reopen(extended);
            extended.clear();
        }
        connection.topics().found().forEach((number, id) -> {
            if (!positions.areOf(number, id)) {
                positions.reset(number, id);
            }
            connection.reopen(settings.shell().logsOf(number));
        });
        Map<LogId, Input.LogOpened> opened = connection.open(positions);
        lostFor(connection.topics(), why -> true)
                .forEach(number -> connection.lost(settings.shell().logsOf(number)));
        driver.step(opened);
        check.opened(opened.keySet());
    }

    @Override
    public boolean isOpen() {
        return positions.anyOpen(settings.shell().majority());
    }

    @Override
    public Set<LogId> lostLogs() {
        return check.report().lostLogs();
    }

    @Override
    public void read(Duration longest) {
        LogReader.Batch batch = poll(longest);
        if (batch instanceof LogReader.Batch.Read read) {
            driver.step(read.records());
            positions.read(read.next());
            check.reading(read);
        } else {
            failedToRead(batch);
        }
        check.report()
                .report(
                        connection.closedFor(settings.shell().election().leaseDuration()),
                        connection.topics().failures(),
                        connection.topics()::brokers,
                        LogReport.Counted.of(driver.state().partitions()));
        Set<LogId> stuck = check.writing();
        if (!stuck.isEmpty()) {
            log.warn("{}: these logs are not read to where they ended, they are opened again, {}", name(), stuck);
            lost(stuck);
            connection.lost(stuck);
        }
    }

    private LogReader.Batch poll(Duration longest) {
        Duration timeout = shorter(longest, connection.timeUntilOpening());
        if (connection.writer().retry()) {
            timeout = shorter(timeout, connection.writer().retryPause());
        }
        pollDeadline = clock.time().plus(timeout);
        try {
            return connection.reader().poll(timeout);
        } finally {
            pollDeadline = MonotonicTime.NEVER;
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private void failedToRead(LogReader.Batch batch) {
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

    private String name() {
        return "Group " + settings.shell().groupId() + ", topics " + settings.topics();
    }

    /** Loses the logs whose topics cannot be used any more for such reasons; returns the numbers of these logs. */
    private Set<Integer> lostFor(ConnectedTopics topics, Predicate<@Nullable RuntimeException> reasons) {
        Set<Integer> numbers = topics.takeLost().stream()
                .filter(number -> reasons.test(topics.failures().get(number)))
                .collect(Collectors.toSet());
        numbers.forEach(number -> lost(settings.shell().logsOf(number)));
        return numbers;
    }

    private void lost(Collection<LogId> logs) {
        driver.lost(logs);
        positions.lost(logs);
    }

    @Override
    public void close() {
        try {
            if (begun) {
                uses.accept(null);
                lostFor(connection.topics(), LogReplacedException.class::isInstance);
            }
        } finally {
            connection.close();
        }
    }
}
