package io.neli.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Creates directories in which servers keep their data while they run. */
public final class TemporaryDirectory {

    private static final Path MEMORY = Path.of("/dev/shm");

    private TemporaryDirectory() {}

    /** Readable by its user only. In memory if possible, because a slow disk can cost a lease. */
    public static Path create(String prefix) throws IOException {
        return Files.isWritable(MEMORY) ? Files.createTempDirectory(MEMORY, prefix) : Files.createTempDirectory(prefix);
    }
}
