package io.neli.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where servers keep their data, for as long as they run. */
public final class TemporaryDirectory {

    private static final Path MEMORY = Path.of("/dev/shm");

    private TemporaryDirectory() {}

    /** Readable by its user only. In memory where that is possible: a disk that stalls costs a lease. */
    public static Path create(String prefix) throws IOException {
        return Files.isWritable(MEMORY) ? Files.createTempDirectory(MEMORY, prefix) : Files.createTempDirectory(prefix);
    }
}
