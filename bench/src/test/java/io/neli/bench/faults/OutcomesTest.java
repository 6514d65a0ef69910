package io.neli.bench.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class OutcomesTest {

    @TempDir
    private Path directory;

    static Outcome outcome(long seed, List<Double> failovers, List<String> faults, Violation... violations) {
        return new Outcome(
                seed,
                "replicated",
                faults,
                "text",
                "",
                100,
                failovers.size(),
                0,
                failovers,
                5,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                List.of(violations),
                List.of());
    }

    @Test
    void a_run_goes_on_after_the_last_seed_in_the_file() throws IOException {
        Path file = directory.resolve("new/outcomes.jsonl");
        Outcomes outcomes = new Outcomes(file);
        assertThat(outcomes.nextSeed(1)).isEqualTo(1);
        Outcome first = outcome(1, List.of(2.5), List.of("RESET LEADER"), new Violation(Violation.Kind.TOKEN, "why"));
        Outcome second = outcome(2, List.of(), List.of("SLOW LEADER"));
        outcomes.append(first);
        outcomes.append(second);
        outcomes.append(outcome(0, List.of(), List.of()));
        Files.writeString(file, "{\"seed\":3,\"arr", StandardOpenOption.APPEND); // the run is killed here

        assertThat(outcomes.nextSeed(1)).isEqualTo(3);
        assertThat(outcomes.read()).hasSize(3).startsWith(first, second);
        outcomes.append(outcome(3, List.of(), List.of()));
        assertThat(outcomes.nextSeed(1)).isEqualTo(4);
    }

    @Test
    void the_summary_tells_what_was_done_and_found() throws IOException {
        List<Outcome> outcomes = List.of(
                outcome(1, List.of(450.0), List.of("MEMBER_KILLED LEADER")),
                outcome(2, List.of(470.0, 90.0), List.of("MEMBER_KILLED LEADER")),
                outcome(
                        3,
                        List.of(),
                        List.of("SLOW LEADER", "RESET LEADER"),
                        new Violation(Violation.Kind.OVERLAP, "two")),
                outcome(0, List.of(), List.of()));
        Path page = Files.writeString(directory.resolve("summary.md"), "old");
        Summary.write(page, Map.of(Arrangement.REPLICATED, outcomes));

        assertThat(Files.readString(page))
                .startsWith("# Faults on a real cluster\n\n## One replicated topic\n")
                .doesNotContain("old")
                .contains("| seeds | 3 |", "| of them with two faults | 1 |", "| overlaps | 1 |", "| elections | 3 |")
                .contains("| without a leader, min / median / p99 / max ms | 90 / 450 / 470 / 470 |")
                .contains("| member killed leader | 2 | 3 | 0 | 450 | 470 |", "| two faults | 1 | 0 | 0 | - | - |");
    }
}
