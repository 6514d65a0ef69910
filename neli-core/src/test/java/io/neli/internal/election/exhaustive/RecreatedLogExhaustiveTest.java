package io.neli.internal.election.exhaustive;

import java.util.function.LongFunction;

import io.neli.internal.mutants.SourceMutant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static io.neli.internal.election.exhaustive.Bounds.Opening.CHANGING;
import static io.neli.internal.election.exhaustive.Bounds.Opening.RECREATED;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Small worlds on three logs, the first of which exists twice: it was created again, empty, and the old one still
 * serves the member that led with it. Everything that {@link SmallWorldsExhaustiveTest} says of three logs applies
 * here. Records sent to the first log may arrive in either one. A member that reads the old one may find the new one at
 * any time, and then opens it.
 *
 * <p>Worlds in which the set of logs changes are larger: {@code -Dneli.exhaustive=large} searches one of them. There,
 * the old log's reader never finds the new one.
 */
@Tag("proof")
@Tag("search")
class RecreatedLogExhaustiveTest {

    private static final Bounds TAKEOVER = new Bounds(RECREATED, 2, 1, 1).withLogs(3);
    private static final Bounds CHANGE = new Bounds(CHANGING, 2, 2, 1).withLogs(3);

    @Test
    void never_two_leaders_by_an_old_log_and_a_new_one() {
        Search search = search(TAKEOVER);
        assertThat(search.ledBy(0, 0b0011)).as("A leads by the old 0 and 1").isTrue();
        assertThat(search.ledBy(0, 0b0101)).as("A leads by the old 0 and 2").isTrue();
        assertThat(search.ledBy(1, 0b1110))
                .as("B leads by 1 and 2, and holds the new 0")
                .isTrue();
        assertThat(search.ledBy(1, 0b1010)).as("B leads by the new 0 and 1").isFalse();
        assertThat(search.ledBy(1, 0b1100)).as("B leads by the new 0 and 2").isFalse();
    }

    @EnabledIfSystemProperty(named = "neli.exhaustive", matches = "large")
    @Test
    void never_two_leaders_while_the_logs_are_changed() {
        search(CHANGE);
    }

    private static Search search(Bounds bounds) {
        Search search = new Search(bounds);
        assertThat(search.run()).as(bounds.toString()).isNull();
        return search;
    }

    @Test
    void two_leaders_are_found_where_a_new_log_counts_at_once() {
        String found = search(
                TAKEOVER,
                "a new log counts once the others say so",
                "!complete || newest == null || newest.identities().get(log.number) == log.view.identity.id();",
                "true;");
        assertThat(found).startsWith("two leaders at tick");
    }

    @Test
    void two_leaders_are_found_where_a_new_log_gets_its_identity_at_once() {
        String found = search(
                CHANGE,
                "a log gets its identity once the others know it",
                "(named == context.freshId(log) && isKnownToOthers(context, log, own))",
                "true");
        assertThat(found).startsWith("two leaders at tick");
    }

    private static @Nullable String search(Bounds bounds, String rule, String original, String broken) {
        return new SourceMutant("io.neli.internal.election", rule, "LogSetRules", original, broken)
                .simulate(Run.class)
                .apply(bounds == TAKEOVER ? 0 : 1);
    }

    /** Searches the first world, or the second. */
    static final class Run implements LongFunction<@Nullable String> {

        @Override
        public @Nullable String apply(long world) {
            return new Search(world == 0 ? TAKEOVER : CHANGE).run();
        }
    }
}
