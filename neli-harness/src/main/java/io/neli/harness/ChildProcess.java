package io.neli.harness;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/** A process that can be sent signals and is read and written line by line. Its standard error goes to a log file. */
public class ChildProcess {

    private static final Duration SIGNAL_LIMIT = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 5;

    /** Called by one thread for each process. It must not block. */
    public interface Listener {

        void printed(String line);

        /** The last call, after all lines have been read. */
        default void exited(int code) {}
    }

    private final Process process;
    private volatile @Nullable Thread reader;

    /**
     * Starts a process.
     *
     * @param log the file to which its standard error is appended
     * @throws IOException if the program cannot be started
     */
    public ChildProcess(ProcessBuilder builder, Path log) throws IOException {
        process = builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** Called by the process itself: halts it when its standard input ends, because the parent has ended. */
    public static void endWithParent() {
        Thread parent = new Thread(ChildProcess::awaitParent, "parent");
        parent.setDaemon(true);
        parent.start();
    }

    private static void awaitParent() {
        try {
            while (System.in.read() >= 0) {
                // ignore the input: only its end matters
            }
        } catch (IOException e) {
            // the parent has ended
        }
        Runtime.getRuntime().halt(1);
    }

    /** Passes each line that the process prints, and then its end, to the listener. Call this once at most. */
    public final void read(Listener listener) {
        Thread thread = new Thread(() -> read(process, listener), "output-" + process.pid());
        thread.setDaemon(true);
        reader = thread;
        thread.start();
    }

    /** The output ends with the process, so the end is noticed immediately. */
    private static void read(Process process, Listener listener) {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                listener.printed(line);
            }
        } catch (IOException e) {
            // the process was killed
        }
        listener.exited(process.onExit().join().exitValue());
    }

    /** Writes a line to the standard input of the process, unless it has ended. */
    public final void say(String line) {
        try {
            OutputStream input = process.getOutputStream();
            input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException e) {
            // the process has ended, which the listener is told
        }
    }

    public final long pid() {
        return process.pid();
    }

    /** The underlying process, for what this class does not offer. */
    public final Process io() {
        return process;
    }

    public final boolean isAlive() {
        return process.isAlive();
    }

    /** Whether this system has the signals for {@link #stop} and {@link #resume}. */
    public static boolean canStop() {
        return File.separatorChar == '/';
    }

    /**
     * Sends SIGSTOP, and returns when the process is frozen.
     *
     * @throws IllegalStateException if it has ended
     */
    public final void stop() {
        require(stop(SIGNAL_LIMIT));
    }

    /** Sends SIGSTOP. Returns whether the process is frozen within the limit; false if it has ended. */
    public final boolean stop(Duration limit) {
        long start = System.nanoTime();
        boolean sent = signal("STOP", limit);
        try {
            while (sent && !isFrozen() && System.nanoTime() - start < limit.toNanos()) {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
            return sent && isFrozen();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /**
     * Sends SIGCONT.
     *
     * @throws IllegalStateException if it has ended
     */
    public final void resume() {
        require(resume(SIGNAL_LIMIT));
    }

    /** Sends SIGCONT. Returns whether that succeeded within the limit; false if the process has ended. */
    public final boolean resume(Duration limit) {
        return signal("CONT", limit);
    }

    private void require(boolean done) {
        if (!done) {
            throw new IllegalStateException("Process " + pid() + (isAlive() ? " does not obey" : " has ended"));
        }
    }

    /** Sends SIGTERM by its handle: {@link Process#destroy} would close its output and lose what is not read yet. */
    public final void terminate() {
        process.toHandle().destroy();
    }

    /** Sends SIGTERM, and after {@code atMost} SIGKILL. */
    public final void terminate(Duration atMost) {
        terminate();
        CompletableFuture.delayedExecutor(atMost.toMillis(), TimeUnit.MILLISECONDS)
                .execute(this::destroy);
    }

    /** Sends SIGKILL, which also ends a frozen process. */
    public final void destroy() {
        process.toHandle().destroyForcibly();
    }

    private boolean signal(String name, Duration limit) {
        try {
            // Use the shell's builtin: a slim system has no other kill command.
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid() + " 2>&-").start();
            return kill.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS) && kill.exitValue() == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Reads the kernel's state: T means stopped. Without /proc, a running process is assumed to be frozen. */
    private boolean isFrozen() {
        try {
            String state = Files.readString(Path.of("/proc", Long.toString(pid()), "stat"));
            return state.charAt(state.lastIndexOf(')') + 2) == 'T';
        } catch (IOException e) {
            return isAlive();
        }
    }

    /** Whether, within the limit, the process has ended and the last call of its listener has returned. */
    public final boolean endsWithin(Duration limit) {
        long start = System.nanoTime();
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return false;
            }
            Thread listening = reader;
            if (listening == null) {
                return true;
            }
            long left = limit.toMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            listening.join(Math.max(1, left)); // 0 would wait without a limit
            return !listening.isAlive();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /**
     * Returns when the process has ended and the last call of its listener has returned.
     *
     * @throws IllegalStateException if the process does not end within the limit; it is then killed
     */
    public final void awaitEnd(Duration limit) {
        if (!endsWithin(limit)) {
            destroy();
            throw new IllegalStateException("Process " + pid() + " has not ended within " + limit);
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException(e);
    }
}
