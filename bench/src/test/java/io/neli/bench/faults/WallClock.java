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

/** Sets the wall clock of one member with libfaketime. Its monotonic clock remains the machine's. */
final class WallClock {

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    /** More often would cost up to a system call for each call of {@code isLeader()}. */
    private static final Duration LOOK_INTO_FILE_EVERY = Duration.ofSeconds(1);

    private final Path file;

    private WallClock(Path file) {
        this.file = file;
        step(Duration.ZERO);
    }

    /** Empty if the library is not installed. */
    static Optional<WallClock> of(Path directory, String member) {
        return Program.FAKETIME.find().map(library -> new WallClock(directory.resolve(member + ".clock")));
    }

    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", Program.FAKETIME.path().toString(),
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_CACHE_DURATION", Long.toString(LOOK_INTO_FILE_EVERY.toSeconds()),
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "FAKETIME_FORCE_MONOTONIC_FIX", "0"); // its timed waits differ from those of a JVM
    }

    /**
     * Removes what the library left in shared memory for processes that were killed. It would end a new process that
     * gets the id of one of them.
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

    /** Steps the clock, and returns when the process has noticed. */
    void stepAndWait(Duration offset) {
        step(offset);
        Await.elapsed(LOOK_INTO_FILE_EVERY.multipliedBy(11).dividedBy(10));
    }

    /** Sets the clock off by {@code offset}. It takes effect within a second. */
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
