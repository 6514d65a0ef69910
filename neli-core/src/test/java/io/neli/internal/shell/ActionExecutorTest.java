package io.neli.internal.shell;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.Mode;
import io.neli.NeliMetrics;
import io.neli.internal.election.Action;
import io.neli.internal.election.Election;
import io.neli.internal.election.Election.PartitionAction;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.ElectionState;
import io.neli.internal.election.GroupConfig;
import io.neli.internal.election.Input;
import io.neli.internal.election.LogEntry;
import io.neli.internal.election.LogId;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.Records;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ActionExecutorTest {

    private static final MemberId ME = new MemberId("member", new UUID(0, 1));
    private static final LogRecord.Sender SENDER = new LogRecord.Sender(ME, 7, Duration.ofSeconds(2));
    private static final LogRecord BID = new LogRecord.Bid(SENDER, 3);
    private static final LogRecord RESIGN = new LogRecord.Resign(SENDER, 3, null);
    private static final LogId LOG = new LogId(0, 0);
    private static final LogId OTHER_LOG = new LogId(0, 1);

    private static final GroupConfig GROUP_CONFIG = new GroupConfig(Mode.EXCLUSIVE, 1, "none", 3);
    private static final LogRecord CLAIM = Records.claim(ME, 0, Duration.ofSeconds(2), GROUP_CONFIG.of(0));
    private static final ElectionSettings ON_THREE_LOGS =
            ShellTests.settings(GROUP_CONFIG).election();

    private final ElectionState state = new Election(ME, ON_THREE_LOGS).initial(true);
    private final List<LeaderEvent> events = new ArrayList<>();
    private final List<Integer> bids = new ArrayList<>();
    private final List<Integer> takeovers = new ArrayList<>();
    private final List<LogRecord> written = new ArrayList<>();
    private final Logs.Connection connection = new EmptyLogs() {
        @Override
        public void append(LogId log, LogRecord content, long readerPosition) {
            written.add(content);
        }
    };
    private final ActionExecutor executor = new ActionExecutor(
            ShellTests.SETTINGS,
            MemberClock.system(),
            new Effects(
                    this::received,
                    (partition, term) -> {},
                    new MetricsReporter(List.of(new NeliMetrics() {
                        @Override
                        public void bidSent(int partition) {
                            bids.add(partition);
                        }

                        @Override
                        public void takenOver(int partition) {
                            takeovers.add(partition);
                        }
                    })),
                    new Problems("group")),
            new EmptyLogs());

    private void received(LeaderEvent event) {
        events.add(event);
        throw new IllegalStateException("meant to fail");
    }

    private void execute(PartitionAction... actions) {
        executor.execute(new Election.Step(state, List.of(actions)), ME);
    }

    private static PartitionAction append(LogId log, LogRecord record) {
        return new PartitionAction(log, new Action.Append(record));
    }

    @Test
    void an_action_that_fails_keeps_no_other_from_being_carried_out() {
        PartitionAction acquired = new PartitionAction(LOG, new Action.Announce(new LeaderAcquired("role", 0, 7)));
        execute(acquired, acquired);

        assertThat(events).hasSize(2);
    }

    @Test
    void a_bid_on_several_logs_of_a_partition_is_counted_once_and_only_where_it_is_written() {
        execute(append(LOG, BID), append(OTHER_LOG, BID));
        assertThat(bids).isEmpty();

        executor.use(connection, state);
        execute(append(LOG, BID), append(OTHER_LOG, BID));

        assertThat(written).containsExactly(BID, BID);
        assertThat(bids).containsExactly(0);
    }

    /** A crash; a claim after a resignation is none, nor is that of another of the partition's logs. */
    @Test
    void claims_over_a_holder_that_has_not_resigned_are_one_takeover() {
        MemberId dead = new MemberId("dead", new UUID(0, 2));
        LogEntry its = new LogEntry(0, Records.claim(dead, 0, Duration.ofSeconds(2), GROUP_CONFIG.of(0)));
        ElectionState held = reads(its);
        ElectionState resigned = reads(its, new LogEntry(1, Records.resign(dead, 0)));
        executor.use(connection, state);

        executor.execute(new Election.Step(resigned, List.of(append(LOG, CLAIM))), ME);
        assertThat(takeovers).isEmpty();
        executor.execute(new Election.Step(held, List.of(append(LOG, CLAIM), append(OTHER_LOG, CLAIM))), ME);
        assertThat(takeovers).containsExactly(0);
    }

    /** All three logs have these records. */
    private ElectionState reads(LogEntry... entries) {
        Election election = new Election(ME, ON_THREE_LOGS);
        Moment now = MemberClock.system().now();
        ElectionState read = state;
        for (int log = 0; log < 3; log++) {
            LogId place = new LogId(0, log);
            read = election.step(read, Map.of(place, new Input.LogOpened(0, entries.length, false)), now)
                    .state();
            Input records = new Input.RecordsRead(List.of(entries), entries.length);
            read = election.step(read, Map.of(place, records), now).state();
        }
        return read;
    }

    @Test
    void a_resign_that_could_not_be_written_is_written_later_and_once() {
        execute(append(LOG, RESIGN), append(LOG, BID));

        executor.use(connection, state);
        executor.use(null, state);
        executor.use(connection, state);

        assertThat(written).containsExactly(RESIGN);
    }

    @Test
    void a_resign_for_a_log_that_is_lost_is_not_written_later() {
        execute(append(LOG, RESIGN));
        executor.forget(Set.of(LOG));

        executor.use(connection, state);

        assertThat(written).isEmpty();
    }
}
