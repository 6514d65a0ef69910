package io.neli.bench.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import io.neli.bench.faults.FaultSuite.Attack;

/**
 * A long run of faults that can be interrupted and resumed, a repetition of some seeds, or the summary of past runs:
 * see {@code bench/faults}.
 */
public final class FaultSuiteMain {

    private static final int ROUND = 25;
    private static final Path DIRECTORY = Path.of("target", "faults");
    private static final Path SUMMARY = DIRECTORY.resolve("summary.md");

    private FaultSuiteMain() {}

    public static void main(String[] args) {
        if (args.length == 1 && args[0].equals("summary")) {
            summarize();
        } else if (args.length == 2) {
            run(Arrangement.of(args[0]), args[1]);
        } else {
            System.err.println("usage: bench/faults replicated|quorum|split seeds|first-last, or bench/faults summary");
            System.exit(2);
        }
        System.exit(0); // does not wait for Kafka's threads
    }

    private static Path file(Arrangement arrangement) {
        return DIRECTORY.resolve(arrangement + ".jsonl");
    }

    private static void run(Arrangement arrangement, String seeds) {
        int dash = seeds.indexOf('-');
        if (dash >= 0) {
            run(
                    arrangement,
                    DIRECTORY.resolve(arrangement + "-again.jsonl"),
                    Long.parseLong(seeds.substring(0, dash)),
                    Long.parseLong(seeds.substring(dash + 1)));
        } else {
            Path file = file(arrangement);
            run(arrangement, file, new Outcomes(file).nextSeed(1), Long.parseLong(seeds));
        }
    }

    private static void run(Arrangement arrangement, Path file, long first, long last) {
        Outcomes outcomes = new Outcomes(file);
        try (FaultSuite suite = new FaultSuite(arrangement, outcome -> take(outcomes, outcome))) {
            long seed = first;
            while (seed <= last) {
                List<Attack> attacks = LongStream.range(seed, Math.min(seed + ROUND, last + 1))
                        .mapToObj(each -> new Attack(each, Schedule.of(arrangement, each)))
                        .toList();
                seed += suite.round(attacks);
            }
        }
    }

    private static void take(Outcomes outcomes, Outcome outcome) {
        outcomes.append(outcome);
        System.out.println(Summary.line(outcome));
        System.out.flush();
    }

    private static void summarize() {
        Map<Arrangement, List<Outcome>> all = new EnumMap<>(Arrangement.class);
        for (Arrangement arrangement : Arrangement.values()) {
            if (Files.exists(file(arrangement))) {
                all.put(arrangement, new Outcomes(file(arrangement)).read());
            }
        }
        Summary.write(SUMMARY, all);
        System.out.println("written to bench/" + SUMMARY);
    }
}
