package io.neli.internal.election;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.neli.LeaderEvent;

import static org.assertj.core.api.Assertions.assertThat;

/** Drives the election of all partitions of a member by hand. Each has one log. Times are milliseconds. */
abstract class WholeElection {

    static final Duration LEASE = Duration.ofMillis(1_000);
    static final MemberId ME = OnePartition.ME;
    static final MemberId OTHER = OnePartition.OTHER;

    final Election election;
    final List<Election.PartitionAction> actions = new ArrayList<>();
    ElectionState state;
    final long[] ends;
    long now = 10_000;

    WholeElection(GroupConfig groupConfig) {
        election = new Election(ME, OnePartition.settings(groupConfig));
        state = election.initial(true);
        ends = new long[groupConfig.partitions()];
    }

    Moment moment() {
        return new Moment(new MonotonicTime(now * 1_000_000), now);
    }

    void take(Election.Step step) {
        state = step.state();
        actions.addAll(step.actions());
    }

    void opens(int partition, long start, long end) {
        ends[partition] = end;
        take(election.step(state, Map.of(new LogId(partition, 0), new Input.LogOpened(start, end, false)), moment()));
        actions.removeIf(
                each -> each.action() instanceof Action.Append append && append.content() instanceof LogRecord.Hello);
    }

    /** Opens all logs, which are empty. */
    void opensAll() {
        for (int partition = 0; partition < ends.length; partition++) {
            opens(partition, 0, 0);
        }
    }

    /** Reads a record at the log's end; returns its offset. */
    long reads(int partition, LogRecord record) {
        LogEntry entry = new LogEntry(ends[partition]++, record);
        Input input = new Input.RecordsRead(List.of(entry), ends[partition]);
        take(election.step(state, Map.of(new LogId(partition, 0), input), moment()));
        return entry.offset();
    }

    void passes(long millis) {
        now += millis;
        take(election.timePassed(state, moment()));
    }

    /** What was sent to the partition arrives until this member leads it. */
    void leads(int partition) {
        for (int steps = 0; state(partition) != State.LEADING && steps < 20; steps++) {
            appends(partition).forEach(record -> reads(partition, record));
            passes(1);
        }
        assertThat(state(partition)).isEqualTo(State.LEADING);
    }

    State state(int partition) {
        return state.partitions().get(partition).state();
    }

    List<LeaderEvent> events() {
        return actions.stream()
                .map(Election.PartitionAction::action)
                .filter(Action.Announce.class::isInstance)
                .map(action -> ((Action.Announce) action).event())
                .toList();
    }

    /** The records sent to a partition since the last call. */
    List<LogRecord> appends(int partition) {
        List<LogRecord> sent = new ArrayList<>();
        actions.removeIf(action -> {
            boolean its = action.log().partition() == partition && action.action() instanceof Action.Append;
            if (its) {
                sent.add(((Action.Append) action.action()).content());
            }
            return its;
        });
        return sent;
    }
}
