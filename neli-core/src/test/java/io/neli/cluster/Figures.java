package io.neli.cluster;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import io.neli.cluster.QuietGroup.Timing;
import io.neli.cluster.faults.Arrangement;
import io.neli.cluster.faults.BrokerFigures;

/**
 * Measures how fast leadership changes and what a member costs at rest, against a broker in a process of its own with the
 * settings it comes with, and prints a table. No verdict but for the reader: ends with 0 whatever the figures are.
 */
final class Figures {

    private static final int RUNS = 10;

    private Figures() {}

    /** Measures, so many times. */
    private interface Row {
        List<Figure> measure(BrokerProcess broker, int runs);
    }

    private static Duration idleTime = Duration.ofMinutes(5);

    private static final Map<String, Row> ROWS = new LinkedHashMap<>();

    static {
        ROWS.put("crash", (broker, runs) -> new TakeoverFigures(broker, runs).crash(Timing.DEFAULT));
        ROWS.put("crash-fast", (broker, runs) -> new TakeoverFigures(broker, runs).crash(Timing.FAST));
        ROWS.put("two", (broker, runs) -> new TakeoverFigures(broker, runs).crashOfTwo(Timing.DEFAULT));
        ROWS.put("two-fast", (broker, runs) -> new TakeoverFigures(broker, runs).crashOfTwo(Timing.FAST));
        ROWS.put("sigterm", (broker, runs) -> new TakeoverFigures(broker, runs).termination());
        ROWS.put("close", (broker, runs) -> new SingleFigures(broker, runs).close());
        ROWS.put("silent", (broker, runs) -> new SingleFigures(broker, runs).silence());
        ROWS.put("start", (broker, runs) -> new SingleFigures(broker, runs).start());
        ROWS.put("look-back", (broker, runs) -> new StartFigures(broker, runs).onLogs(64, 300));
        ROWS.put("look-back-large", (broker, runs) -> new StartFigures(broker, runs).onLogs(1_000, 3_000));
        ROWS.put("roles", (broker, runs) -> new LargeFigures(broker, runs).roles());
        ROWS.put("idle", (broker, runs) -> new IdleFigures(broker, idleTime).rest());
        ROWS.put("fifty", (broker, runs) -> new LargeFigures(broker, runs).fiftyMembers());
    }

    /** On three brokers, which they start themselves. */
    private static final Map<String, Function<Integer, List<Figure>>> CLUSTER_ROWS = new LinkedHashMap<>();

    static {
        for (Arrangement arrangement : Arrangement.values()) {
            CLUSTER_ROWS.put("brokers-" + arrangement, runs -> new BrokerFigures(arrangement, runs).measure());
        }
    }

    public static void main(String[] args) {
        List<String> wanted = new ArrayList<>(Arrays.asList(args));
        int runs = RUNS;
        while (wanted.size() > 1 && wanted.get(0).startsWith("-")) {
            int number = Integer.parseInt(wanted.get(1));
            if (wanted.get(0).equals("-n")) {
                runs = number;
            } else if (wanted.get(0).equals("-t")) {
                idleTime = Duration.ofSeconds(number);
            }
            wanted.subList(0, 2).clear();
        }
        List<String> names = new ArrayList<>(ROWS.keySet());
        names.addAll(CLUSTER_ROWS.keySet());
        if (!names.containsAll(wanted)) {
            System.err.println(
                    "usage: bench/figures [-n runs] [-t seconds of idle] [" + String.join("|", names) + "]...");
            System.exit(2);
        }
        if (wanted.isEmpty()) {
            wanted.addAll(ROWS.keySet());
        }
        List<String> table = new ArrayList<>();
        int finalRuns = runs;
        List<String> onOne = wanted.stream().filter(ROWS::containsKey).toList();
        if (!onOne.isEmpty()) {
            try (BrokerProcess broker = BrokerProcess.start()) {
                System.out.printf(
                        "a record is written and read back within %.1f ms%n",
                        BrokerWarmUp.run(broker).toNanos() / 1e6);
                for (String row : onOne) {
                    measure(row, table, () -> ROWS.get(row).measure(broker, finalRuns));
                }
            }
        }
        for (String row : wanted) {
            if (CLUSTER_ROWS.containsKey(row)) {
                measure(row, table, () -> CLUSTER_ROWS.get(row).apply(finalRuns));
            }
        }
        System.out.println();
        System.out.println(Figure.header());
        table.forEach(System.out::println);
    }

    private static void measure(String row, List<String> table, Supplier<List<Figure>> measurement) {
        System.out.printf("%s, %s%n", row, LocalDateTime.now().truncatedTo(ChronoUnit.SECONDS));
        double before = Figure.load();
        measurement.get().forEach(figure -> table.add(figure.toString()));
        table.add(String.format("    load average %.1f before, %.1f after", before, Figure.load()));
    }
}
