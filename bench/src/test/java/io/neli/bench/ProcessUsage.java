package io.neli.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a process has used since its start, according to the kernel.
 *
 * @param processor its processor time
 * @param threads what its threads have used, by their names
 */
record ProcessUsage(Duration processor, Map<String, ThreadUsage> threads) {

    /** What the threads of one name have used: their processor time, and how often they have waited. */
    record ThreadUsage(long nanos, long wakeups) {

        static final ThreadUsage NONE = new ThreadUsage(0, 0);

        private ThreadUsage plus(ThreadUsage other) {
            return new ThreadUsage(nanos + other.nanos, wakeups + other.wakeups);
        }
    }

    /** The unit of processor time in {@code /proc}, on every Linux. */
    private static final long TICK_MILLIS = 10;

    static ProcessUsage of(long pid) {
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            String stat = Files.readString(process.resolve("stat"));
            String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            long ticks = Long.parseLong(afterName[11]) + Long.parseLong(afterName[12]); // user and system
            return new ProcessUsage(Duration.ofMillis(ticks * TICK_MILLIS), threads(process.resolve("task")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, ThreadUsage> threads(Path tasks) throws IOException {
        Map<String, ThreadUsage> used = new TreeMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                try {
                    String name = Files.readString(thread.resolve("comm")).strip();
                    used.merge(name, new ThreadUsage(nanos(thread), waits(thread)), ThreadUsage::plus);
                } catch (NoSuchFileException e) {
                    // the process or the thread has ended
                }
            }
        }
        return used;
    }

    private static long nanos(Path thread) throws IOException {
        return Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[0]);
    }

    private static long waits(Path thread) throws IOException {
        return Files.readAllLines(thread.resolve("status")).stream()
                .filter(line -> line.startsWith("voluntary_ctxt_switches:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                .findFirst()
                .orElse(0);
    }
}
