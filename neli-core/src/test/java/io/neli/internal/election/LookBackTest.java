package io.neli.internal.election;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.neli.Mode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How far back a log is read before its reader may act. */
class LookBackTest {

    private static final GroupConfig GROUP_CONFIG = new GroupConfig(Mode.EXCLUSIVE, 1, "roles");
    private static final Duration LEASE = Duration.ofMillis(1_000);
    private static final MemberId ME = new MemberId("me", new UUID(0, 1));
    private static final MemberId OTHER = new MemberId("other", new UUID(0, 2));
    private static final long START = 100;
    private static final long END = 103;

    private final PartitionElection election = new PartitionElection(
            ME,
            new ElectionSettings(LEASE, Duration.ofMillis(200), Duration.ofMillis(5_000), GROUP_CONFIG, Map.of()),
            0);
    private PartitionState state = new PartitionState(1, Eligibility.initial(true));
    private List<Action> actions = List.of();

    private void step(Input input) {
        PartitionElection.Step step = election.step(state, 0, input, new Moment(new MonotonicTime(1), 1));
        state = step.state();
        actions = step.actions().stream().map(Election.PartitionAction::action).toList();
    }

    private void opens(boolean extendable) {
        step(new Input.LogOpened(START, END, extendable));
    }

    private void reads(long offset, LogRecord record) {
        step(new Input.RecordsRead(List.of(new LogEntry(offset, record)), offset + 1));
    }

    private static LogRecord heartbeat(long upTo, long term) {
        return Records.heartbeat(OTHER, 1, LEASE, GROUP_CONFIG, term, true, upTo);
    }

    private void assertThatItReadsFurtherBack() {
        assertThat(actions).contains(new Action.ReadFurtherBack());
        assertThat(state.caughtUp()).isFalse();
    }

    @Test
    void a_heartbeat_whose_sender_had_read_up_to_the_start_suffices() {
        opens(true);
        reads(START, heartbeat(START, 50));
        assertThat(state.caughtUp()).isFalse();
        reads(END - 1, Records.bid(OTHER, 50));

        assertThat(actions).doesNotContain(new Action.ReadFurtherBack());
        assertThat(state.caughtUp()).isTrue();
    }

    /** Its sender has lost its term, but knew as much. */
    @Test
    void a_stale_heartbeat_suffices_too() {
        opens(true);
        reads(START, Records.claim(OTHER, 0, LEASE, GROUP_CONFIG));
        reads(END - 1, heartbeat(START, 50));
        assertThat(state.caughtUp()).isTrue();
    }

    @Test
    void a_heartbeat_whose_sender_had_not_read_up_to_the_start_does_not_suffice() {
        opens(true);
        reads(END - 1, heartbeat(START - 1, 50));
        assertThatItReadsFurtherBack();
    }

    @Test
    void a_heartbeat_from_the_future_does_not_suffice() {
        opens(true);
        reads(END - 1, heartbeat(END + 7, 50));
        assertThatItReadsFurtherBack();
    }

    @Test
    void no_other_record_suffices() {
        for (LogRecord record : List.of(
                Records.claim(OTHER, 0, LEASE, GROUP_CONFIG), Records.resign(OTHER, 50), Records.bid(OTHER, 50))) {
            opens(true);
            reads(END - 1, record);
            assertThatItReadsFurtherBack();
        }
    }

    @Test
    void it_is_asked_for_once() {
        opens(true);
        step(new Input.RecordsRead(List.of(), END));
        assertThatItReadsFurtherBack();
        reads(END, Records.bid(OTHER, 50));
        assertThat(actions).doesNotContain(new Action.ReadFurtherBack());
    }

    @Test
    void what_was_read_before_is_not_forgotten_when_it_is_opened_again() {
        Duration longer = LEASE.multipliedBy(5);
        opens(true);
        reads(END - 1, Records.claim(OTHER, 0, longer, GROUP_CONFIG, 77));
        assertThatItReadsFurtherBack();

        opens(false);
        assertThat(state.logs().get(0).view.longestLease()).isEqualTo(longer);
        assertThat(state.logs().get(0).view.largestToken).isEqualTo(77);
        step(new Input.RecordsRead(List.of(), END));
        assertThat(state.caughtUp()).isTrue();
        assertThat(actions).doesNotContain(new Action.ReadFurtherBack());
    }
}
