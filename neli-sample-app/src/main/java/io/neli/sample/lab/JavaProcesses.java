package io.neli.sample.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

import io.neli.harness.ChildProcess;
import io.neli.harness.TemporaryDirectory;

/**
 * Starts other processes of this program, with the same java and the same class path or jar. They are small, start
 * fast, and end with the lab.
 *
 * @param directory of all files of one lab, readable by its user only
 */
record JavaProcesses(Path directory, CleanupProcess cleanup, LongSupplier clock) {

    private static final String JAR_LAUNCHER = "org.springframework.boot.loader.launch.PropertiesLauncher";

    /** The terminal sends its signals to all processes, but the lab must stop the instances before the broker. */
    private static final String IGNORE_SIGNALS = "trap '' INT HUP; exec \"$0\" \"$@\"";

    static JavaProcesses create(LongSupplier clock) throws IOException {
        Path directory = TemporaryDirectory.create("neli-lab-");
        Files.createDirectory(directory.resolve("tmp"));
        return new JavaProcesses(directory, CleanupProcess.start(directory), clock);
    }

    /** The log of a process, or of the lab itself. */
    Path log(String name) {
        return directory.resolve(name + ".log");
    }

    Path temporaryFiles() {
        return directory.resolve("tmp");
    }

    /**
     * A program to start.
     *
     * @param options of the JVM
     */
    record Program(String name, List<String> options, Class<?> main, List<String> arguments) {}

    /**
     * Starts a program.
     *
     * @throws IllegalStateException if it cannot be started, with a message for the user
     */
    ChildProcess start(Program program, ChildProcess.Listener listener) {
        try {
            ChildProcess child = new ChildProcess(new ProcessBuilder(command(program)), log(program.name()));
            cleanup.add(child);
            child.read(listener);
            return child;
        } catch (IOException e) {
            throw new IllegalStateException(program.name() + " cannot be started: " + e.getMessage(), e);
        }
    }

    private List<String> command(Program program) {
        List<String> command = new ArrayList<>();
        if (ChildProcess.canStop()) {
            command.addAll(List.of("sh", "-c", IGNORE_SIGNALS));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
        command.add("-Djava.io.tmpdir=" + temporaryFiles()); // deleted with the directory
        command.addAll(program.options());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        if (runsFromBootJar()) {
            command.add("-Dloader.main=" + program.main().getName());
            command.add(JAR_LAUNCHER);
        } else {
            command.add(program.main().getName());
        }
        command.addAll(program.arguments());
        return command;
    }

    /** In the repackaged jar, the classes are in nested jars, which only Boot's loader reads. */
    private static boolean runsFromBootJar() {
        return ClassLoader.getSystemClassLoader().getResource(JAR_LAUNCHER.replace('.', '/') + ".class") != null;
    }
}
