package io.neli.sample.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * All files of one lab, readable by its user only; the {@link CleanupProcess} deletes them. In memory where possible, as a disk that
 * stalls costs a lease.
 */
public record LabDirectory(Path path) {

    private static final Path MEMORY = Path.of("/dev/shm");

    public static LabDirectory create() throws IOException {
        Path path = Files.isWritable(MEMORY)
                ? Files.createTempDirectory(MEMORY, "neli-lab-")
                : Files.createTempDirectory("neli-lab-");
        LabDirectory directory = new LabDirectory(path);
        Files.createDirectory(directory.temporaryFiles());
        return directory;
    }

    /** The log of a process, or of the lab itself. */
    public Path log(String name) {
        return path.resolve(name + ".log");
    }

    /** For the configuration and the data of a broker. */
    public Path broker(String name) {
        return path.resolve(name);
    }

    public Path temporaryFiles() {
        return path.resolve("tmp");
    }
}
