package io.neli.internal.election.exhaustive;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.neli.internal.election.exhaustive.Bounds.Opening.EMPTY;
import static io.neli.internal.election.exhaustive.Bounds.Opening.LED;
import static io.neli.internal.election.exhaustive.Bounds.Opening.NEWCOMER;
import static io.neli.internal.election.exhaustive.Bounds.Opening.SILENT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Everything that can happen in small worlds, over the real election: two or three members on one partition, and every order in
 * which, within the {@link Bounds}, the clock ticks, a member is called because its deadline has come (or is not, which is a
 * pause), reads the next record (or does not), a record under way reaches the log (or never does), a member crashes and starts
 * again, loses the log, opens it at any offset up to its end, the group assigns any owner, having counted on the latest
 * claim or on none, the application pauses, resumes, resigns or closes a member, and work that was to end does end.
 *
 * <p>In every state at most one member leads or drains with a lease by its own clock, called or not. At every step: tokens grow
 * from one acquisition to the next, each member's events follow the rules, no resignation and no next term while work of a term
 * before goes on, no deadline that is not ahead.
 *
 * <p>States are distinguished by value, without hashing anything away. A lease is four ticks, the heartbeat interval one, the
 * handover timeout three, a cooldown one millisecond; the first member's clock goes 0.9 % slow, the others' go right. Incarnations
 * are numbered, which fixes the jitter; it never reaches a tick, so that a jittered bid goes out with the next one. A record
 * arrives when first read, where it makes no difference.
 *
 * <p>Not in these worlds: more ticks and records than the bounds say; more than one partition; a wall clock that departs from the
 * monotonic one; other group configurations or leases in the group; records that are deleted, or that nobody can read; an end offset that
 * was answered long before the log is opened; that a leader is found in the end, which the simulation
 * shows.
 *
 * <p>Two of these worlds are searched in every build, the others with {@code -Pproofs}; {@code -Dneli.exhaustive=large} searches
 * larger ones instead: minutes, and several gigabytes.
 */
class SmallWorldsExhaustiveTest {

    /** Searched in every build. */
    private static final List<Bounds> SMALLEST =
            List.of(new Bounds(EMPTY, 2, 4, 5), new Bounds(LED, 2, 3, 3).withRequests(1));

    private static final List<Bounds> WORLDS = List.of(
            new Bounds(LED, 2, 6, 3),
            new Bounds(NEWCOMER, 2, 5, 3),
            new Bounds(SILENT, 2, 1, 5).withRequests(1),
            new Bounds(SILENT, 2, 2, 3).withRequests(1),
            new Bounds(LED, 2, 3, 3).withAssignments(1),
            new Bounds(LED, 2, 3, 2).withFaults(1),
            new Bounds(SILENT, 2, 1, 3).withFaults(1),
            new Bounds(SILENT, 2, 2, 4).withBatches(),
            new Bounds(SILENT, 2, 2, 4).withReordering(),
            new Bounds(SILENT, 3, 2, 2));

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
            new Bounds(SILENT, 3, 2, 3));

    @Test
    void never_two_leaders_in_the_smallest_worlds() {
        SMALLEST.parallelStream().forEach(SmallWorldsExhaustiveTest::search);
    }

    @Tag("proof")
    @Tag("search")
    @Test
    void never_two_leaders() {
        boolean large = "large".equals(System.getProperty("neli.exhaustive"));
        Stream<Bounds> worlds = large ? LARGE_WORLDS.stream() : WORLDS.parallelStream();
        worlds.forEach(SmallWorldsExhaustiveTest::search);
    }

    private static void search(Bounds bounds) {
        Search search = new Search(bounds);
        String violation = search.run();
        assertThat(violation).as(bounds.toString()).isNull();
        assertThat(search.acquisitions()).as("takeovers in " + bounds).isPositive();
    }

    @Test
    void two_leaders_are_found_where_a_clock_is_slower_than_the_margin_allows() {
        String violation = new Search(new Bounds(LED, 2, 5, 2).withRate(0.75)).run();
        assertThat(violation).startsWith("two leaders at tick").contains("A STEP", "B ARRIVE_AND_READ");
    }
}
