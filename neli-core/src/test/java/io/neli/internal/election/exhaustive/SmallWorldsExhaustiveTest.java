package io.neli.internal.election.exhaustive;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.internal.election.exhaustive.Bounds.Opening.CONTESTED;
import static io.neli.internal.election.exhaustive.Bounds.Opening.EMPTY;
import static io.neli.internal.election.exhaustive.Bounds.Opening.LED;
import static io.neli.internal.election.exhaustive.Bounds.Opening.NEWCOMER;
import static io.neli.internal.election.exhaustive.Bounds.Opening.SILENT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tries everything that can happen in small worlds with the real election: two or three members on one partition with
 * one log or three. Within the {@link Bounds}, these happen in every order: the clock ticks; a member is called because
 * its deadline has come (or is not, which is a pause); it reads the next record of a log (or does not); a record under
 * way reaches its log (or never does); a member crashes and starts again, loses a log, or opens it at any offset up to
 * its end; the group assigns any owner, having counted on the latest claim or on none; the application pauses, resumes,
 * resigns or closes a member; and work that should end does.
 *
 * <p>In every state, by its own clock, at most one member leads or drains with a lease, called or not, and at most one
 * holds each log. At every step, tokens grow from one acquisition to the next, each member's events follow the rules,
 * no term is resigned or begins while work of an earlier term runs, and every deadline lies ahead.
 *
 * <p>States are distinguished by value, without hashing anything away. A lease is four ticks, the heartbeat interval
 * one, the handover timeout three, a cooldown one millisecond; the first member's clock is 0.9 % slow, the others are
 * exact. Incarnations are numbered, which fixes the jitter; it is always less than a tick, so a jittered bid is sent at
 * the next one. If it makes no difference, a record arrives when it is first read.
 *
 * <p>Three logs share only their readers: each has its own order and its own records under way. It matters which of two
 * logs is read first, because a member acts on what it has read, so both orders are tried. The bounds are small,
 * because positions multiply. Most of these worlds begin shortly before a takeover, and let one more record into each
 * log: the leader's answer, or the claim. No HELLO arrives, and no member crashes or loses a log.
 *
 * <p>These worlds do not cover: more ticks and records than the bounds; several partitions; a wall clock that departs
 * from the monotonic one; different group configurations or leases in the group; records that are deleted or
 * unreadable; an end offset that is outdated when the log is opened, or too high; more than three logs; and whether a
 * leader is finally found. The simulation covers all of these, and {@link RecreatedLogExhaustiveTest} a log that is
 * created again.
 *
 * <p>Every build searches one of these worlds, {@code -Pproofs} the others; {@code -Dneli.exhaustive=large} searches
 * larger ones instead: minutes, and several gigabytes.
 */
class SmallWorldsExhaustiveTest {

    /** The leader's lease is about to end, and another member is about to take over the logs. */
    private static final Bounds TAKEOVER = new Bounds(CONTESTED, 2, 1, 1).withLogs(3);

    private static final List<Bounds> WORLDS = List.of(
            new Bounds(EMPTY, 2, 4, 5),
            new Bounds(EMPTY, 2, 1, 2).withLogs(3),
            new Bounds(LED, 2, 3, 3).withRequests(1),
            new Bounds(LED, 2, 6, 3),
            new Bounds(NEWCOMER, 2, 5, 3),
            new Bounds(SILENT, 2, 1, 5).withRequests(1),
            new Bounds(SILENT, 2, 2, 3).withRequests(1),
            new Bounds(LED, 2, 3, 3).withAssignments(1),
            new Bounds(LED, 2, 3, 2).withFaults(1),
            new Bounds(SILENT, 2, 1, 3).withFaults(1),
            new Bounds(SILENT, 2, 2, 4).withBatches(),
            new Bounds(SILENT, 2, 2, 4).withReordering(),
            new Bounds(SILENT, 3, 2, 2),
            new Bounds(CONTESTED, 2, 2, 1).withLogs(3),
            TAKEOVER.withRequests(1),
            TAKEOVER.withAssignments(1),
            TAKEOVER.withBatches(),
            TAKEOVER.withReordering(),
            new Bounds(CONTESTED, 3, 1, 1).withLogs(3));

    private static final List<Bounds> LARGE_WORLDS = List.of(
            new Bounds(LED, 2, 6, 4),
            new Bounds(EMPTY, 2, 6, 5),
            new Bounds(NEWCOMER, 2, 6, 3),
            new Bounds(SILENT, 2, 2, 4).withRequests(1),
            new Bounds(LED, 2, 4, 3).withRequests(1),
            new Bounds(SILENT, 2, 2, 3).withAssignments(1),
            new Bounds(SILENT, 2, 1, 3).withAssignments(2),
            new Bounds(LED, 2, 4, 3).withFaults(1),
            new Bounds(SILENT, 2, 2, 3).withFaults(1),
            new Bounds(SILENT, 2, 3, 4).withBatches(),
            new Bounds(SILENT, 2, 3, 4).withReordering(),
            new Bounds(LED, 3, 4, 3),
            new Bounds(SILENT, 3, 2, 3),
            new Bounds(CONTESTED, 2, 2, 1).withLogs(3).withRequests(1));

    @Test
    void never_two_leaders_by_different_logs() {
        Search search = search(TAKEOVER);
        assertThat(search.ledBy(0, 0b011)).as("A leads by 0 and 1").isTrue();
        assertThat(search.ledBy(1, 0b110)).as("B leads by 1 and 2").isTrue();
        assertThat(search.ledBy(1, 0b101)).as("B leads by 0 and 2").isTrue();
    }

    @Tag("proof")
    @Tag("search")
    @Test
    void never_two_leaders() {
        boolean large = "large".equals(System.getProperty("neli.exhaustive"));
        Stream<Bounds> worlds = large ? LARGE_WORLDS.stream() : WORLDS.parallelStream();
        worlds.forEach(SmallWorldsExhaustiveTest::search);
    }

    private static Search search(Bounds bounds) {
        Search search = new Search(bounds);
        String violation = search.run();
        assertThat(violation).as(bounds.toString()).isNull();
        assertThat(search.acquisitions()).as("takeovers in " + bounds).isPositive();
        return search;
    }

    @Test
    void two_leaders_are_found_where_a_clock_is_slower_than_the_margin_allows() {
        String violation = new Search(new Bounds(LED, 2, 5, 2).withRate(0.75)).run();
        assertThat(violation).startsWith("two leaders at tick").contains("A STEP", "B ARRIVE_AND_READ");
    }

    /** A second holder of one log occurs before a second leader. */
    @Test
    void two_holders_of_a_log_are_found_there_too() {
        String violation = new Search(TAKEOVER.withRate(0.75)).run();
        assertThat(violation).startsWith("two holders of one log at tick").contains("B ARRIVE_AND_READ in log 0");
    }
}
