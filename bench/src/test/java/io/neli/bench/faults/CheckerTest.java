package io.neli.bench.faults;

import java.util.List;
import java.util.Map;

import io.neli.bench.faults.Register.Decision;
import io.neli.cluster.Line;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Forged histories must be rejected; otherwise, a long run without findings would mean nothing. */
class CheckerTest {

    private static final String A_LEADS = "a 10 ACQUIRED token=5 valid=true";

    private static List<Violation> violations(long counter, List<Decision> decisions, String... lines) {
        return Checker.atTheEnd(Line.forged(lines), counter, decisions);
    }

    private static void assertRejected(Violation.Kind kind, long counter, List<Decision> decisions, String... lines) {
        assertThat(violations(counter, decisions, lines))
                .extracting(Violation::kind)
                .contains(kind);
    }

    @Test
    void a_history_without_fault_is_accepted() {
        assertThat(violations(
                        2,
                        List.of(new Decision(5, 0, true), new Decision(9, 5, true), new Decision(5, 9, false)),
                        A_LEADS,
                        "a 11 LEADS token=5",
                        "a 12 BUMPED token=5 value=1 late=false",
                        "a 13 WROTE token=5 asked=12 leads=true accepted=true largest=0",
                        "a 60 LEADS_NOT last=20",
                        "a 61 FENCED token=5",
                        "a 62 WROTE token=5 asked=61 leads=false accepted=false largest=9",
                        "b 30 ACQUIRED token=9 valid=true",
                        "b 31 LEADS token=9",
                        "b 32 WROTE token=9 asked=31 leads=true accepted=true largest=5",
                        "b 33 BUMPED token=9 value=2 late=false",
                        "b 40 LEADS_NOT last=39",
                        "b 41 REVOKED token=9"))
                .isEmpty();
    }

    @Test
    void two_leaders_at_one_instant() {
        assertRejected(
                Violation.Kind.OVERLAP,
                0,
                List.of(),
                "a 10 LEADS token=5",
                "a 31 LEADS_NOT last=30",
                "b 30 LEADS token=9",
                "b 40 LEADS_NOT last=39");
    }

    @Test
    void a_token_that_goes_back() {
        assertRejected(
                Violation.Kind.TOKEN,
                0,
                List.of(),
                A_LEADS,
                "a 20 FENCED token=5",
                "b 30 ACQUIRED token=4 valid=true",
                "b 40 FENCED token=4");
    }

    @Test
    void a_leader_that_the_register_refuses() {
        assertRejected(
                Violation.Kind.EFFECT,
                0,
                List.of(new Decision(9, 0, true), new Decision(5, 9, false)),
                "a 13 WROTE token=5 asked=12 leads=true accepted=false largest=9");
    }

    @Test
    void a_stale_write_that_the_register_accepts() {
        assertRejected(Violation.Kind.EFFECT, 0, List.of(new Decision(9, 0, true), new Decision(5, 9, true)));
    }

    @Test
    void a_lost_increment() {
        assertRejected(
                Violation.Kind.EFFECT,
                1,
                List.of(),
                "a 10 BUMPED token=5 value=1 late=false",
                "b 20 BUMPED token=9 value=1 late=false");
    }

    @Test
    void a_term_that_never_ends() {
        assertRejected(Violation.Kind.EVENTS, 0, List.of(), A_LEADS);
        assertRejected(Violation.Kind.EVENTS, 0, List.of(), A_LEADS, "b 20 FENCED token=5");
        assertThat(violations(0, List.of(), A_LEADS, "a 20 SIGNALLED what=KILL"))
                .isEmpty();
    }

    @Test
    void a_term_that_ends_twice() {
        assertRejected(Violation.Kind.EVENTS, 0, List.of(), A_LEADS, "a 20 FENCED token=5", "a 21 FENCED token=5");
    }

    @Test
    void a_process_that_grows() {
        for (String more : List.of(
                "threads=35 heap=1 descriptors=9",
                "threads=30 heap=9000001 descriptors=9",
                "threads=30 heap=1 descriptors=99")) {
            Growth growth = new Growth();
            growth.add(usage("threads=30 heap=1 descriptors=9"));
            assertThat(growth.violations()).isEmpty();
            growth.add(usage(more));
            assertThat(growth.violations()).hasSize(1);
        }
    }

    private static Map<String, Line> usage(String fields) {
        Line line = Line.forged("a 1 USAGE " + fields).get(0);
        return Map.of(line.process(), line);
    }

    @Test
    void times_without_a_leader_are_counted_from_the_last_true_answer() {
        List<Line> lines = Line.forged(
                "a 1000000 LEADS token=1",
                "a 5000000 LEADS_NOT last=3000000",
                "b 7000000 LEADS token=2",
                "b 9000000 LEADS_NOT last=8000000",
                "c 10000000 LEADS token=3",
                "c 11000000 STILL_LEADS");
        assertThat(Failovers.after(2_000_000, "default", lines)).containsExactly(4.0, 2.0);
        assertThat(Failovers.after(6_000_000, "default", lines)).containsExactly(2.0);
    }
}
