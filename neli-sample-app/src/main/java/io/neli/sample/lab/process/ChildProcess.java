package io.neli.sample.lab.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A process that reports and takes commands line by line. Its standard input ends with this process; its standard error goes
 * to its log.
 */
public final class ChildProcess {

    /** Called by a thread of its own for each process, with the time at which something was noticed. It must not block. */
    public interface Listener {

        void printed(String line, long at);

        /** The last call, after all lines. */
        void exited(int code, long at);

        /** A listener that holds the lock during each call of this one. */
        default Listener guardedBy(Object lock) {
            Listener guarded = this;
            return new Listener() {
                @Override
                public void printed(String line, long at) {
                    synchronized (lock) {
                        guarded.printed(line, at);
                    }
                }

                @Override
                public void exited(int code, long at) {
                    synchronized (lock) {
                        guarded.exited(code, at);
                    }
                }
            };
        }
    }

    private final Process process;
    private final Thread reader;

    private ChildProcess(String name, Process process, LongSupplier clock, Listener listener) {
        this.process = process;
        this.reader = new Thread(() -> read(clock, listener), "output-of-" + name);
        reader.setDaemon(true);
    }

    /**
     * Starts a process.
     *
     * @throws IOException if the program cannot be started
     */
    public static ChildProcess start(String name, List<String> command, Path log, LongSupplier clock, Listener listener)
            throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        ChildProcess child = new ChildProcess(name, process, clock, listener);
        child.reader.start();
        return child;
    }

    /** The output ends with the process, so its end is noticed at once. */
    private void read(LongSupplier clock, Listener listener) {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                listener.printed(line, clock.getAsLong());
            }
        } catch (IOException e) {
            // it has ended
        }
        long at = clock.getAsLong();
        listener.exited(process.onExit().join().exitValue(), at);
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    void onEnd(Runnable task) {
        var unused = process.onExit().thenRun(task);
    }

    /** Sends a line to its standard input, unless it has ended. */
    public void send(String line) {
        try {
            OutputStream input = process.getOutputStream();
            input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException e) {
            // it has ended, which the listener learns
        }
    }

    /** SIGTERM, and after that time SIGKILL. By its handle: {@code Process.destroy} would close its output, too. */
    public void terminate(Duration atMost) {
        process.toHandle().destroy();
        CompletableFuture.delayedExecutor(atMost.toMillis(), TimeUnit.MILLISECONDS)
                .execute(this::kill);
    }

    /** SIGKILL. */
    public void kill() {
        process.toHandle().destroyForcibly();
    }

    /** Whether this system has the signals for {@link #freeze()}. */
    public static boolean canFreeze() {
        return File.separatorChar == '/';
    }

    /** SIGSTOP, unless it has ended. */
    public void freeze() {
        signal("STOP");
    }

    /** SIGCONT, unless it has ended. */
    public void thaw() {
        signal("CONT");
    }

    /** By a shell, as a slim system has no other kill command. */
    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid() + " 2>&-").start();
            kill.waitFor(2, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for its end and for the last call of the listener; false if they did not come in time. */
    public boolean awaitEnd(Duration atMost) throws InterruptedException {
        reader.join(atMost.toMillis());
        return !reader.isAlive();
    }
}
