package io.neli.bench.runs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.neli.bench.runs.RunsMain.Line;
import io.neli.cluster.Await;
import io.neli.cluster.BrokerProcess;
import io.neli.cluster.JavaProcess;
import io.neli.harness.ChildProcess;
import io.neli.harness.TemporaryDirectory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Runs three applications with a job that is due every five seconds. Around every second due time, one of them is
 * killed, frozen, stopped or cut off from the broker: the leader, or the last one that had the lock. Needs PostgreSQL's
 * programs, whose directory is the first argument; the second is the number of runs of 40 due times, the third the
 * number of the first run. Run 0 has no faults.
 */
public final class RunsFigures {

    private static final int DUE_TIMES = 40;
    private static final long PERIOD = RunsMain.PERIOD_MILLIS;
    private static final Duration LASTS = Duration.ofSeconds(3);
    private static final List<String> JOBS = List.of("runs", "ticks", "locks");
    private static final List<String> KINDS = List.of("kill", "freeze", "stop", "cut off");

    /**
     * If a run ends this shortly before its process dies, its end may not be recorded, and no scheduler can know it.
     */
    private static final long UNKNOWN_MILLIS = 250;

    /** After a link is cut, data under way may still arrive for this long, such as the answer to a record. */
    private static final long UNDER_WAY_MILLIS = 50;

    private final BrokerProcess broker;
    private final String database;
    private final Random random;
    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private final List<Fault> faults = new ArrayList<>();
    private final ChildProcess[] applications = new ChildProcess[3];
    private final int[] starts = new int[3];
    private final long[] due = new long[DUE_TIMES];

    /**
     * A fault of a process.
     *
     * @param at a time before it
     * @param by when data between the process and the topic no longer arrived, in both directions
     */
    private record Fault(String kind, String process, long at, long by) {}

    private RunsFigures(BrokerProcess broker, String database, long seed) {
        this.broker = broker;
        this.database = database;
        this.random = new Random(seed);
    }

    public static void main(String[] args) throws IOException {
        Map<String, int[]> sums = new java.util.TreeMap<>();
        try (Postgres postgres = new Postgres(Path.of(args[0]));
                BrokerProcess broker = BrokerProcess.start(settings -> {})) {
            int first = args.length > 2 ? Integer.parseInt(args[2]) : 0;
            for (int run = first; run < first + Integer.parseInt(args[1]); run++) {
                RunsFigures figures = new RunsFigures(broker, postgres.url(), run);
                figures.run(run > 0);
                System.out.println("run " + run + " "
                        + figures.faults.stream().map(Fault::kind).toList());
                for (String job : JOBS) {
                    int[] counted = figures.count(job);
                    System.out.println("  " + job + " " + named(counted) + " begun after " + figures.delays(job));
                    int[] sum = sums.computeIfAbsent(job, none -> new int[counted.length]);
                    for (int i = 0; i < counted.length; i++) {
                        sum[i] += counted[i];
                    }
                }
            }
        }
        sums.forEach((job, sum) -> System.out.println("all " + job + " " + named(sum)));
    }

    private static String named(int[] counted) {
        return "due %d missed %d ended-twice %d (apart: %d) overlaps %d"
                .formatted(counted[0], counted[1], counted[2], counted[3], counted[4]);
    }

    private void run(boolean faulty) {
        try {
            for (int place = 0; place < applications.length; place++) {
                start(place);
            }
            Await.until("each job has run", Duration.ofMinutes(3), () -> JOBS.stream()
                    .allMatch(job -> lines.stream().anyMatch(line -> line.job().equals(job))));
            long first = (System.currentTimeMillis() / PERIOD + 3) * PERIOD;
            for (int time = 0; time < DUE_TIMES; time++) {
                due[time] = first + time * PERIOD;
                if (faulty && time % 2 == 1 && time < DUE_TIMES - 2) {
                    cause(due[time] - 500 + random.nextInt(1_500));
                }
            }
            sleepUntil(due[DUE_TIMES - 1] + 2 * PERIOD);
        } finally {
            for (ChildProcess application : applications) {
                if (application != null) {
                    application.destroy();
                }
            }
        }
    }

    private void start(int place) {
        String name = "abc".charAt(place) + "" + starts[place]++;
        applications[place] = process(
                place,
                name,
                "--spring.kafka.bootstrap-servers=" + broker.link(place).address(),
                "--neli.group-id=runs" + System.identityHashCode(this),
                "--neli.name=" + name,
                "--neli.lease-duration=1s",
                "--neli.heartbeat-interval=100ms",
                "--spring.datasource.url=" + database,
                "--spring.task.scheduling.pool.size=6",
                "--spring.main.banner-mode=off");
    }

    private ChildProcess process(int place, String name, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                RunsMain.class.getName()));
        command.addAll(List.of(arguments));
        try {
            ChildProcess started = new ChildProcess(
                    new ProcessBuilder(command), JavaProcess.logDirectory().resolve("runs-" + place + ".log"));
            started.read(text -> {
                if (text.startsWith(Line.PREFIX)) {
                    lines.add(Line.parse(name, text));
                }
            });
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void cause(long at) {
        sleepUntil(at);
        boolean leader = random.nextInt(3) > 0;
        String victim = lines.stream()
                .filter(line -> leader
                        ? line.what().equals(Line.LEADS)
                        : line.job().equals("locks") && line.what().equals(Line.BEGINS))
                .reduce((one, later) -> later)
                .orElseThrow()
                .process();
        int place = "abc".indexOf(victim.charAt(0));
        String kind = KINDS.get(random.nextInt(KINDS.size()));
        ChildProcess application = applications[place];
        long before = System.currentTimeMillis();
        switch (kind) {
            case "kill" -> application.destroy();
            case "freeze" -> application.stop();
            case "stop" -> application.terminate();
            default -> broker.link(place).silence();
        }
        long by = System.currentTimeMillis() + (kind.equals("cut off") ? UNDER_WAY_MILLIS : 0);
        faults.add(new Fault(kind, victim, before, by));
        sleepUntil(at + LASTS.toMillis());
        switch (kind) {
            case "freeze" -> application.resume();
            case "cut off" -> broker.link(place).pass();
            default -> {
                application.awaitEnd(Duration.ofSeconds(30));
                start(place);
            }
        }
    }

    private static void sleepUntil(long at) {
        while (System.currentTimeMillis() < at) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** Counts times that are due, missed, ended twice, ended twice where no one could know, and overlapping runs. */
    private int[] count(String job) {
        int[] counted = new int[5];
        for (long time : due) {
            List<Line> ends = of(job, Line.ENDS).stream()
                    .filter(line -> line.due() == time)
                    .toList();
            counted[0]++;
            if (ends.isEmpty() || (ends.size() > 1 && !job.equals("ticks"))) {
                explain(job, time);
            }
            if (ends.isEmpty()) {
                counted[1]++;
            } else if (ends.size() > 1) {
                counted[ends.stream().filter(end -> !isUnknown(end)).count() < 2 ? 3 : 2]++;
            }
        }
        List<Line> begins = of(job, Line.BEGINS);
        for (Line begin : begins) {
            boolean overlaps = begins.stream()
                    .filter(other -> !other.process().equals(begin.process()) && other.at() <= begin.at())
                    .anyMatch(other -> end(other) > begin.at());
            counted[4] += overlaps ? 1 : 0;
        }
        return counted;
    }

    /** Prints what happened around that time. */
    private void explain(String job, long time) {
        System.out.println("  " + job + " of " + time % 1_000_000 + ":");
        Stream<String> said = lines.stream()
                .filter(line -> line.job().equals(job) || line.what().equals(Line.LEADS))
                .filter(line -> Math.abs(line.at() - time) < 3 * PERIOD)
                .map(line -> line.at() % 1_000_000 + " " + line.process() + " " + line.what() + " "
                        + line.due() % 1_000_000);
        Stream<String> done = faults.stream()
                .filter(fault -> Math.abs(fault.at() - time) < 3 * PERIOD)
                .map(fault -> fault.at() % 1_000_000 + " " + fault.process() + " " + fault.kind());
        Stream.concat(said, done).sorted().forEach(line -> System.out.println("    " + line));
    }

    private List<Line> of(String job, String what) {
        return lines.stream()
                .filter(line -> line.job().equals(job) && line.what().equals(what))
                .toList();
    }

    /** When the run ended. Its begin if its process died or was frozen: then its lease was over before it continued. */
    private long end(Line begin) {
        return of(begin.job(), Line.ENDS).stream()
                .filter(line -> line.process().equals(begin.process()) && line.due() == begin.due())
                .filter(line -> !isUnknown(line))
                .mapToLong(Line::at)
                .findFirst()
                .orElse(begin.at());
    }

    /**
     * Whether the topic may not know of the end: the process died, or was frozen or cut off, during or shortly after
     * it.
     */
    private boolean isUnknown(Line end) {
        long begun = of(end.job(), Line.BEGINS).stream()
                .filter(line -> line.process().equals(end.process()) && line.due() == end.due())
                .mapToLong(Line::at)
                .findFirst()
                .orElse(end.at());
        return faults.stream()
                .anyMatch(fault -> fault.process().equals(end.process())
                        && fault.by() >= begun
                        && fault.at() <= end.at() + UNKNOWN_MILLIS);
    }

    private String delays(String job) {
        long[] delays = of(job, Line.BEGINS).stream()
                .filter(line -> LongStream.of(due).anyMatch(time -> time == line.due()))
                .mapToLong(line -> line.at() - line.due())
                .sorted()
                .toArray();
        return delays.length == 0
                ? "-"
                : "median " + delays[delays.length / 2] + " ms, p99 " + delays[(delays.length - 1) * 99 / 100] + " ms";
    }

    /** A separate server on the loopback interface. It refuses to run as root. */
    private static final class Postgres implements AutoCloseable {

        private final Path directory = TemporaryDirectory.create("neli-postgres");
        private final int port;
        private final Process server;

        Postgres(Path programs) throws IOException {
            try (ServerSocket free = new ServerSocket(0)) {
                port = free.getLocalPort();
            }
            run("chown", "postgres", directory.toString());
            run("runuser", "-u", "postgres", "--", programs.resolve("initdb").toString(), "-D", data(), "-A", "trust");
            server = new ProcessBuilder(
                            "runuser",
                            "-u",
                            "postgres",
                            "--",
                            programs.resolve("postgres").toString(),
                            "-D",
                            data(),
                            "-p",
                            String.valueOf(port),
                            "-k",
                            directory.toString(),
                            "-c",
                            "listen_addresses=127.0.0.1")
                    .redirectErrorStream(true)
                    .redirectOutput(directory
                            .resolveSibling(directory.getFileName() + ".log")
                            .toFile())
                    .start();
            JdbcTemplate jdbc = new JdbcTemplate(new DriverManagerDataSource(url()));
            Await.until("the database answers", Duration.ofMinutes(1), () -> {
                try {
                    jdbc.execute("create table shedlock(name varchar(64) primary key, lock_until timestamp not null,"
                            + " locked_at timestamp not null, locked_by varchar(255) not null)");
                    return true;
                } catch (org.springframework.dao.DataAccessException e) {
                    return false;
                }
            });
        }

        private String data() {
            return directory.resolve("data").toString();
        }

        private static void run(String... command) throws IOException {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output =
                    new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            if (process.onExit().join().exitValue() != 0) {
                throw new IOException(List.of(command) + ": " + output);
            }
        }

        String url() {
            return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
        }

        @Override
        public void close() throws IOException {
            server.destroy();
            server.onExit().join();
            Files.deleteIfExists(directory.resolveSibling(directory.getFileName() + ".log"));
        }
    }
}
