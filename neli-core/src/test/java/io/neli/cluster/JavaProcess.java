package io.neli.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A JVM on the class path of the tests, and the signals that it is sent. Never outlives the JVM that started it. */
public final class JavaProcess {

    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> RUNNING.forEach(running -> running.toHandle().destroyForcibly()), "end-processes"));
    }

    private final Process process;

    private JavaProcess(Process process) {
        this.process = process;
    }

    /** Where processes write their logs; for people to look into. */
    public static Path logDirectory() {
        try {
            return Files.createDirectories(Path.of("target", "cluster"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static JavaProcess start(String logFile, String heap, Class<?> main, String... arguments) {
        return start(logFile, Map.of(), heap, main, arguments);
    }

    /** Starts it with more variables in its environment. */
    static JavaProcess start(
            String logFile, Map<String, String> environment, String heap, Class<?> main, String... arguments) {
        return start(
                logFile,
                environment,
                List.of(heap, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"),
                main,
                arguments);
    }

    /** Starts it with the given options of the JVM and no others, unlike the other tests' processes, which are to start quickly. */
    static JavaProcess start(String logFile, List<String> options, Class<?> main, String... arguments) {
        return start(logFile, Map.of(), options, main, arguments);
    }

    private static JavaProcess start(
            String logFile, Map<String, String> environment, List<String> options, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-Dlogback.configurationFile=logback-cluster.xml");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        Path log = logDirectory().resolve(logFile);
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().putAll(environment);
            Process process = builder.start();
            RUNNING.add(process);
            return new JavaProcess(process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    /** Its input and output. */
    public Process io() {
        return process;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** SIGSTOP; returns when the process is frozen. */
    public void stop() {
        signal("STOP");
        Await.until("the process is frozen", Duration.ofSeconds(10), () -> state() == 'T');
    }

    /** SIGCONT. */
    public void resume() {
        signal("CONT");
    }

    /** SIGTERM, by its handle: {@link Process#destroy} would close its output, and lose what was not yet read. */
    public void terminate() {
        process.toHandle().destroy();
    }

    private void signal(String name) {
        try {
            int result = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (result != 0) {
                throw new IllegalStateException("kill -" + name + " has failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** As the kernel has it: T for stopped. */
    private char state() {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void awaitEnd(Duration limit) {
        try {
            if (!endsWithin(limit)) {
                throw new AssertionError("the process has not ended within " + limit);
            }
        } finally {
            destroy();
        }
    }

    /** Whether it has ended, or does so in that time. */
    boolean endsWithin(Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** SIGKILL, which also ends a stopped process. */
    public void destroy() {
        process.toHandle().destroyForcibly();
        RUNNING.remove(process);
    }
}
