package io.neli.sample.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.neli.harness.TemporaryDirectory;

/** The directory of all files of one lab, readable by its user only. The {@link CleanupProcess} deletes it. */
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

    /** The directory for the configuration and the data of a broker. */
    public Path broker(String name) {
        return path.resolve(name);
    }

    public Path temporaryFiles() {
        return path.resolve("tmp");
    }
}
