package io.neli.internal.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.neli.internal.election.Input;
import io.neli.internal.election.LogId;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Records;
import io.neli.internal.shell.MemberClock;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

import static io.neli.internal.kafka.TestElection.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** A connection that a test uses as the election's thread does, but without the rules: in each step each open log is written. */
final class OpenLogs implements AutoCloseable {

    private static final int MOST_TRIES = 4;
    private static final MemberId SELF = new MemberId("member", UUID.randomUUID());

    final KafkaSettings settings;

    /** All that was opened so far, also more than once. */
    final List<Map.Entry<LogId, Input.LogOpened>> opened = new ArrayList<>();

    final Map<LogId, Integer> read = new HashMap<>();
    final Set<LogId> lost = new HashSet<>();
    final LogConnection connection;
    private final LogPositions positions = new LogPositions(false);

    private OpenLogs(KafkaSettings settings, LogConnection connection) {
        this.settings = settings;
        this.connection = connection;
        for (Map.Entry<Integer, Uuid> topic : connection.topics().ids().entrySet()) {
            positions.reset(topic.getKey(), topic.getValue());
        }
        connection.start(Map.of());
    }

    /** As a member does, which tries again where a broker is slow to answer. */
    static OpenLogs connect(KafkaSettings settings) throws InterruptedException {
        for (int triesLeft = MOST_TRIES - 1; ; triesLeft--) {
            try {
                return connectOnce(settings);
            } catch (TimeoutException e) {
                assertThat(triesLeft).as("tries left").isPositive();
            }
        }
    }

    static OpenLogs connectOnce(KafkaSettings settings) throws InterruptedException {
        return new OpenLogs(
                settings,
                LogConnection.connect(
                        settings,
                        MemberClock.system(),
                        new LeaderTopics(settings, () -> true),
                        new ClientProperties(settings),
                        new KafkaClients(),
                        () -> {}));
    }

    void step() {
        connection.topics().found().forEach((number, id) -> {
            if (!positions.areOf(number, id)) {
                positions.reset(number, id);
            }
            connection.reopen(settings.shell().logsOf(number));
        });
        Map<LogId, Input.LogOpened> now = connection.open(positions);
        opened.addAll(now.entrySet());
        lost.removeAll(now.keySet());
        connection.topics().takeLost().forEach(number -> lose(settings.shell().logsOf(number)));
        for (LogId log : positions.next().keySet()) {
            connection.writer().append(log, Records.bid(SELF, 0), positions.of(log));
        }
        LogReader.Batch batch = connection.reader().poll(Duration.ofMillis(20));
        if (batch instanceof LogReader.Batch.Read records) {
            positions.read(records.next());
            records.records()
                    .forEach((log, each) -> read.merge(log, each.entries().size(), Integer::sum));
        } else if (batch instanceof LogReader.Batch.Gap gap) {
            lose(gap.logs());
        }
        for (LogWriter.Outcome outcome = next(); outcome != null; outcome = next()) {
            if (outcome.failure() != null) {
                connection.topics().suspect(outcome.log().log());
            }
        }
    }

    private LogWriter.@Nullable Outcome next() {
        return connection.writer().nextOutcome();
    }

    private void lose(Collection<LogId> logs) {
        lost.addAll(logs);
        positions.lost(logs);
        connection.lost(logs);
    }

    /** Steps until these logs, and no others, are read. */
    void awaitReading(List<LogId> logs) {
        awaitRecords(logs);
        assertThat(positions.next().keySet()).containsExactlyInAnyOrderElementsOf(logs);
    }

    /** Steps until something new is read from each of these logs. */
    void awaitRecords(List<LogId> logs) {
        read.clear();
        eventually().until(() -> {
            step();
            return read.keySet().containsAll(logs);
        });
    }

    /** Steps until the topic of the logs of this number cannot be used. */
    String awaitFailure(int number) {
        eventually().until(() -> {
            step();
            return connection.topics().failures().containsKey(number);
        });
        return String.valueOf(connection.topics().failures().get(number).getMessage());
    }

    @Override
    public void close() {
        connection.close();
    }
}
