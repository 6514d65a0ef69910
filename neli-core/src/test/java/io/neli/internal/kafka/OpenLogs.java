package io.neli.internal.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.neli.internal.election.LogId;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.election.Records;
import io.neli.internal.shell.ElectionDriver;
import io.neli.internal.shell.EmptyLogs;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problems;
import io.neli.internal.shell.ShellTests;
import org.apache.kafka.common.errors.TimeoutException;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** A connection that a test uses like the election's thread does, except that each step writes to each open log. */
final class OpenLogs implements AutoCloseable {

    private static final int MOST_TRIES = 4;
    private static final MemberId SELF = new MemberId("member", UUID.randomUUID());

    final KafkaSettings settings;

    /** Where each log was read from when it was opened, even repeatedly. */
    final List<Map.Entry<LogId, Long>> opened = new ArrayList<>();

    final KafkaConnection connection;
    private final LogPositions positions;
    private final Set<LogId> open = new HashSet<>();
    private final Set<LogId> read = new HashSet<>();

    private OpenLogs(KafkaSettings settings, LogPositions positions, KafkaConnection connection) {
        this.settings = settings;
        this.positions = positions;
        this.connection = connection;
        connection.begin();
    }

    /** Connects like a member, which tries again if a broker is slow to answer. */
    static OpenLogs connect(KafkaSettings settings) throws InterruptedException {
        return connect(settings, Duration.ofDays(1));
    }

    /** Requires that no try lasts longer than the limit. */
    static OpenLogs connect(KafkaSettings settings, Duration limit) throws InterruptedException {
        for (int triesLeft = MOST_TRIES - 1; ; triesLeft--) {
            MonotonicTime begun = MemberClock.system().time();
            try {
                return connectOnce(settings, new KafkaClients(settings));
            } catch (TimeoutException e) {
                assertThat(triesLeft).as("tries left").isPositive();
            } finally {
                assertThat(begun.until(MemberClock.system().time())).isLessThan(limit);
            }
        }
    }

    static OpenLogs connectOnce(KafkaSettings settings, KafkaClients clients) throws InterruptedException {
        MemberClock clock = MemberClock.system();
        Problems problems = new Problems(settings.shell().groupId());
        LogPositions positions = new LogPositions(false);
        ElectionDriver driver = ShellTests.driver(settings.shell(), SELF, problems, self -> new EmptyLogs() {
            @Override
            public void readFurtherBack(LogId log) {
                positions.extend(log);
            }
        });
        LeaderTopics topics = new LeaderTopics(settings, () -> true);
        return new OpenLogs(
                settings,
                positions,
                new KafkaConnection(settings, clock, problems, topics, positions, driver, clients));
    }

    void step() throws InterruptedException {
        connection.open();
        Map<LogId, Long> before = new HashMap<>();
        for (LogId log : settings.shell().logs()) {
            if (!positions.isOpen(log)) {
                open.remove(log);
                continue;
            }
            before.put(log, positions.offset(log));
            if (open.add(log)) {
                opened.add(Map.entry(log, positions.offset(log)));
            }
            connection.append(log, Records.bid(SELF, 0), positions.offset(log));
        }
        connection.read(Duration.ofMillis(20));
        before.forEach((log, offset) -> {
            if (positions.isOpen(log) && positions.offset(log) > offset) {
                read.add(log);
            }
        });
    }

    /** Steps until exactly these logs are read. */
    void awaitReading(List<LogId> logs) {
        awaitRecords(logs);
        assertThat(settings.shell().logs()).filteredOn(positions::isOpen).containsExactlyInAnyOrderElementsOf(logs);
    }

    /** Steps until something new is read from each of these logs. */
    void awaitRecords(List<LogId> logs) {
        read.clear();
        eventually().until(() -> {
            step();
            return read.containsAll(logs);
        });
    }

    /** Steps until the topic of the logs with this number cannot be used. */
    String awaitFailure(int number) {
        eventually().until(() -> {
            step();
            return connection.topics.failures().containsKey(number);
        });
        return String.valueOf(connection.topics.failures().get(number).getMessage());
    }

    @Override
    public void close() {
        connection.close();
    }
}
