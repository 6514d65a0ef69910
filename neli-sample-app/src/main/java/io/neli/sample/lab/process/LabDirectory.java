package io.neli.sample.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.neli.harness.TemporaryDirectory;

/** All files of one lab, readable by its user only; the {@link CleanupProcess} deletes them. */
public record LabDirectory(Path path) {

    public static LabDirectory create() throws IOException {
        LabDirectory directory = new LabDirectory(TemporaryDirectory.create("neli-lab-"));
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
