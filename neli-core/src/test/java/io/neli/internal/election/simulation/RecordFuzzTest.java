package io.neli.internal.election.simulation;

import java.util.stream.LongStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Passes random and mutilated records through the codec and the rules: nothing throws, no record that the member did
 * not send renews a lease, and nobody begins to lead with one. {@code -Dneli.fuzz.seed=N} runs only one seed.
 */
class RecordFuzzTest {

    private static final int RECORDS_PER_MEMBER = 500;
    private static final int FIRST = 40_000;
    private static final int ALL = 1_000_000;

    @Test
    void no_garbage_lets_a_member_lead() {
        Long only = Long.getLong("neli.fuzz.seed");
        if (only != null) {
            new FuzzedMember(only, new Tally()).reads(RECORDS_PER_MEMBER);
        } else {
            runAll(0, FIRST);
        }
    }

    @Tag("proof")
    @Tag("search")
    @Test
    void a_million_records_of_garbage_let_no_member_lead() {
        runAll(FIRST, ALL);
    }

    private static void runAll(int from, int to) {
        Tally tally = LongStream.range(from / RECORDS_PER_MEMBER, to / RECORDS_PER_MEMBER)
                .parallel()
                .collect(Tally::new, RecordFuzzTest::run, Tally::add);
        assertThat(tally.of("acquired")).as("members that lead now and then").isGreaterThan((to - from) / 200);
    }

    private static void run(Tally tally, long seed) {
        try {
            new FuzzedMember(seed, tally).reads(RECORDS_PER_MEMBER);
        } catch (RuntimeException e) {
            fail("-Dneli.fuzz.seed=%d: %s".formatted(seed, e), e);
        }
    }
}
