package io.neli.cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A process and the signals that it is sent. Never outlives the JVM that started it. */
public class ChildProcess {

    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> RUNNING.forEach(running -> running.toHandle().destroyForcibly()), "end-processes"));
    }

    private final Process process;

    /** Starts one, whose errors are appended to the log. */
    protected ChildProcess(ProcessBuilder builder, File log) {
        try {
            process =
                    builder.redirectError(ProcessBuilder.Redirect.appendTo(log)).start();
            RUNNING.add(process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a program, which writes nothing that is read but its log. */
    public static ChildProcess start(String logFile, String... command) {
        File log = logDirectory().resolve(logFile).toFile();
        return new ChildProcess(new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.appendTo(log)), log);
    }

    /** Where processes write their logs; for people to look into. */
    public static Path logDirectory() {
        try {
            return Files.createDirectories(Path.of("target", "cluster"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long pid() {
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
        Await.until("the process is frozen", Duration.ofSeconds(60), () -> state() == 'T');
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
            // By a shell: a slim system has no other kill command.
            int result = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
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
    public boolean endsWithin(Duration limit) {
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
