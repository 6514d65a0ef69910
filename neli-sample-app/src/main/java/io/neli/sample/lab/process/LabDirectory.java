package io.neli.sample.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.springframework.util.FileSystemUtils;

/** All files of one lab, for its user's eyes only. In memory where that is possible, as a disk that stalls costs a lease. */
public record LabDirectory(Path path) {

    private static final Path MEMORY = Path.of("/dev/shm");

    /** Makes a new one; the {@link Reaper} deletes it. */
    public static LabDirectory create() throws IOException {
        Path path = Files.isWritable(MEMORY)
                ? Files.createTempDirectory(MEMORY, "neli-lab-")
                : Files.createTempDirectory("neli-lab-");
        LabDirectory directory = new LabDirectory(path);
        Files.createDirectory(directory.temporaryFiles());
        Files.createDirectory(directory.brokerConfiguration().getParent());
        return directory;
    }

    /** As far as the system lets it. */
    public void delete() {
        try {
            FileSystemUtils.deleteRecursively(path);
        } catch (IOException e) {
            // a file of a process that is still there
        }
    }

    /** The log of a process, or of the lab itself. */
    public Path log(String name) {
        return path.resolve(name + ".log");
    }

    public Path brokerConfiguration() {
        return path.resolve("broker").resolve("server.properties");
    }

    public Path temporaryFiles() {
        return path.resolve("tmp");
    }
}
