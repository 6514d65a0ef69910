package io.neli.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.neli.TestServers;
import io.neli.harness.ChildProcess;

/** A JVM with the class path of the tests. Never outlives the JVM that started it. */
public final class JavaProcess extends ChildProcess {

    private static final Set<ProcessHandle> STARTED = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> STARTED.forEach(ProcessHandle::destroyForcibly), "end-processes"));
    }

    private JavaProcess(ProcessBuilder builder, Path log) throws IOException {
        super(builder, log);
        STARTED.add(io().toHandle());
    }

    /** Where processes write their logs, for humans. */
    public static Path logDirectory() {
        try {
            return Files.createDirectories(Path.of("target", "cluster"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static JavaProcess start(String logFile, String heap, Class<?> main, String... arguments) {
        return start(List.of(), logFile, Map.of(), quick(heap), main, arguments);
    }

    /** Options for a quick start. */
    public static List<String> quick(String heap) {
        return List.of(heap, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData");
    }

    /**
     * Starts it with exactly these JVM options.
     *
     * @param launcher a program that becomes the JVM, such as {@code setpriv}, and its arguments; may be empty
     * @param environment further environment variables
     */
    public static JavaProcess start(
            List<String> launcher,
            String logFile,
            Map<String, String> environment,
            List<String> options,
            Class<?> main,
            String... arguments) {
        List<String> command = new ArrayList<>(launcher);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-Dlogback.configurationFile=logback-cluster.xml");
        String servers = System.getProperty(TestServers.PROPERTY);
        if (servers != null) {
            command.add("-D" + TestServers.PROPERTY + "=" + servers);
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        Path log = logDirectory().resolve(logFile);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        try {
            return new JavaProcess(builder, log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
