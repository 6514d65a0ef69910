package io.neli.bench;

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

import io.neli.TestServers;
import io.neli.bench.QuietGroup.Timing;
import io.neli.bench.faults.Arrangement;
import io.neli.bench.faults.BrokerFigures;
import io.neli.cluster.BrokerProcess;
import io.neli.cluster.ServerProcess;

/**
 * Measures how fast leadership changes and what a member costs at rest, and prints a table. The broker runs in a
 * separate process with its default settings. The exit code is 0 whatever the figures are: the reader judges them.
 */
final class Figures {

    private static final int RUNS = 10;

    private Figures() {}

    /** Measures a number of runs on servers of any kind. */
    private interface Row {
        List<Figure> measure(ServerProcess servers, int runs);
    }

    /** Like {@link Row}, for measurements on Kafka. */
    private interface KafkaRow {

        List<Figure> measure(BrokerProcess broker, int runs);

        default Row row() {
            return (servers, runs) -> measure((BrokerProcess) servers, runs);
        }
    }

    private static Duration idleTime = Duration.ofMinutes(5);

    private static final Map<String, Row> ROWS = new LinkedHashMap<>();

    static {
        ROWS.put("crash", (servers, runs) -> new TakeoverFigures(servers, runs).crash(Timing.DEFAULT));
        ROWS.put("crash-fast", (servers, runs) -> new TakeoverFigures(servers, runs).crash(Timing.FAST));
        ROWS.put("two", (servers, runs) -> new TakeoverFigures(servers, runs).crashOfTwo(Timing.DEFAULT));
        ROWS.put("two-fast", (servers, runs) -> new TakeoverFigures(servers, runs).crashOfTwo(Timing.FAST));
        ROWS.put("sigterm", (servers, runs) -> new TakeoverFigures(servers, runs).termination());
        putOnKafka("close", (broker, runs) -> new SingleFigures(broker, runs).close());
        putOnKafka("silent", (broker, runs) -> new SingleFigures(broker, runs).silence());
        putOnKafka("start", (broker, runs) -> new SingleFigures(broker, runs).start());
        putOnKafka("look-back", (broker, runs) -> new StartFigures(broker, runs).onLogs(64, 300));
        putOnKafka("look-back-large", (broker, runs) -> new StartFigures(broker, runs).onLogs(1_000, 3_000));
        putOnKafka("first-run", (broker, runs) -> new JobFigures(broker, runs).firstRun());
        putOnKafka("roles", (broker, runs) -> new LargeFigures(broker, runs).roles());
        ROWS.put("idle", (servers, runs) -> new IdleFigures(servers, idleTime).rest());
        putOnKafka("fifty", (broker, runs) -> new LargeFigures(broker, runs).fiftyMembers());
        putOnKafka("thirteen", (broker, runs) -> new LargeFigures(broker, runs).tenOfThirteenMembers());
        putOnKafka("three-hundred", (broker, runs) -> new LargeFigures(broker, runs).threeHundredMembers());
    }

    private static void putOnKafka(String name, KafkaRow row) {
        ROWS.put(name, row.row());
    }

    /** Rows that start three brokers themselves. */
    private static final Map<String, Function<Integer, List<Figure>>> CLUSTER_ROWS = new LinkedHashMap<>();

    static {
        for (Arrangement arrangement : Arrangement.ON_THREE) {
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
            try (ServerProcess servers = TestServers.get().start()) {
                System.out.printf(
                        "a record is written and read back within %.1f ms%n",
                        WarmUp.run(servers).toNanos() / 1e6);
                for (String row : onOne) {
                    measure(row, table, () -> ROWS.get(row).measure(servers, finalRuns));
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
