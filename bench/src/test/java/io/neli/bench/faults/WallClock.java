package io.neli.bench.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import io.neli.cluster.Await;
import io.neli.programs.Program;

/** The wall clock of one member, which libfaketime sets. Its monotonic clock is the machine's. */
final class WallClock {

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    /** Each time would be a system call for each question who leads. */
    private static final Duration LOOK_INTO_FILE_EVERY = Duration.ofSeconds(1);

    private final Path file;

    private WallClock(Path file) {
        this.file = file;
        step(Duration.ZERO);
    }

    /** Empty where the library is not installed. */
    static Optional<WallClock> of(Path directory, String member) {
        return Program.FAKETIME.find().map(library -> new WallClock(directory.resolve(member + ".clock")));
    }

    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", Program.FAKETIME.path().toString(),
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_CACHE_DURATION", Long.toString(LOOK_INTO_FILE_EVERY.toSeconds()),
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "FAKETIME_FORCE_MONOTONIC_FIX", "0"); // its way of timed waits is not that of a JVM
    }

    /**
     * Removes what the library has left behind in shared memory of processes that were killed: it ends a new process
     * that gets the number of such a one.
     */
    static void tidy() {
        if (Program.FAKETIME.find().isEmpty() || !Files.isDirectory(SHARED_MEMORY)) {
            return;
        }
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(SHARED_MEMORY, "{faketime_shm_,sem.faketime_sem_}*")) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (!Files.exists(Path.of("/proc", name.substring(name.lastIndexOf('_') + 1)))) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns when the process has seen it. */
    void stepAndWait(Duration offset) {
        step(offset);
        Await.elapsed(LOOK_INTO_FILE_EVERY.multipliedBy(11).dividedBy(10));
    }

    /** From within a second on, the clock is off by that much. */
    void step(Duration offset) {
        try {
            Path next = file.resolveSibling(file.getFileName() + ".next");
            Files.writeString(next, String.format("%+.3f%n", offset.toMillis() / 1e3));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
