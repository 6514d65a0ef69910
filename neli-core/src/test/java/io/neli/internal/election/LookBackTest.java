package io.neli.internal.election;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import static io.neli.internal.election.OnePartition.LEASE;
import static io.neli.internal.election.OnePartition.OTHER;
import static org.assertj.core.api.Assertions.assertThat;

/** How far back a log is read before the member may act. */
class LookBackTest {

    private static final long START = 100;
    private static final long END = 103;

    private final OnePartition partition = OnePartition.unopened();

    private static LogRecord heartbeat(long upTo, long term) {
        return Records.heartbeat(OTHER, 1, Duration.ofMillis(LEASE), term, true, upTo);
    }

    private static LogRecord claim(long lease, long token) {
        return Records.claim(OTHER, 0, Duration.ofMillis(lease), OnePartition.GROUP_CONFIG.of(0), token);
    }

    private void assertThatItReadsFurtherBack() {
        assertThat(partition.readsFurtherBack()).isTrue();
        assertThat(partition.full().caughtUp()).isFalse();
    }

    @Test
    void a_heartbeat_whose_sender_had_read_up_to_the_start_suffices() {
        partition.opensLast(START, END);
        partition.readsAt(START, heartbeat(START, 50));
        assertThat(partition.full().caughtUp()).isFalse();
        partition.readsAt(END - 1, Records.bid(OTHER, 50));

        assertThat(partition.readsFurtherBack()).isFalse();
        assertThat(partition.full().caughtUp()).isTrue();
    }

    /** Its sender has lost the term, but knew just as much. */
    @Test
    void a_stale_heartbeat_suffices_too() {
        partition.opensLast(START, END);
        partition.readsAt(START, claim(LEASE, Records.TOKEN));
        partition.readsAt(END - 1, heartbeat(START, 50));
        assertThat(partition.full().caughtUp()).isTrue();
    }

    @Test
    void neither_one_whose_sender_had_not_read_so_far_or_cannot_be_that_far_yet_suffices_nor_any_other_record() {
        for (LogRecord record : List.of(
                heartbeat(START - 1, 50),
                heartbeat(END + 7, 50),
                claim(LEASE, Records.TOKEN),
                Records.resign(OTHER, 50),
                Records.bid(OTHER, 50))) {
            partition.opensLast(START, END);
            partition.readsAt(END - 1, record);
            assertThatItReadsFurtherBack();
        }
    }

    @Test
    void it_is_asked_for_once() {
        partition.opensLast(START, END);
        partition.readsNothingUpTo(END);
        assertThatItReadsFurtherBack();
        partition.readsAt(END, Records.bid(OTHER, 50));
        assertThat(partition.readsFurtherBack()).isFalse();
    }

    @Test
    void what_was_read_before_is_not_forgotten_when_it_is_opened_again() {
        long longer = 5 * LEASE;
        partition.opensLast(START, END);
        partition.readsAt(END - 1, claim(longer, 77));
        assertThatItReadsFurtherBack();

        partition.opens(START, END);
        assertThat(partition.log().view.longestLease()).hasMillis(longer);
        assertThat(partition.log().view.largestToken).isEqualTo(77);
        partition.readsNothingUpTo(END);
        assertThat(partition.full().caughtUp()).isTrue();
        assertThat(partition.readsFurtherBack()).isFalse();
    }
}
