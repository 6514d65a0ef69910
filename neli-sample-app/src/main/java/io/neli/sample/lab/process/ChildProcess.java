package io.neli.sample.lab.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that is read and told what to do line by line, and that ends with this one: its standard input is then at its
 * end. What it prints on standard error goes to its log.
 */
public final class ChildProcess {

    /** Who is told what a process prints, by one thread of this process' own. It must not block. */
    public interface Listener {

        void printed(String line);

        /** The last call: everything that it has printed was told before. */
        void exited(int code);
    }

    private final Process process;
    private final Thread reader;

    private ChildProcess(String name, Process process, Listener listener) {
        this.process = process;
        this.reader = new Thread(() -> read(listener), "output-of-" + name);
        reader.setDaemon(true);
    }

    /**
     * Starts one.
     *
     * @param name for people
     * @throws IOException if the program cannot be started
     */
    public static ChildProcess start(String name, List<String> command, Path log, Listener listener)
            throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        ChildProcess child = new ChildProcess(name, process, listener);
        child.reader.start();
        return child;
    }

    /** The output ends when the process does, so its end is noticed at once, and after all that it has said. */
    private void read(Listener listener) {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                listener.printed(line);
            }
        } catch (IOException e) {
            // it has gone
        }
        listener.exited(process.onExit().join().exitValue());
    }

    public long pid() {
        return process.pid();
    }

    /** Says a line, unless it has ended. */
    public void tell(String line) {
        try {
            OutputStream input = process.getOutputStream();
            input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException e) {
            // it has gone, which is told to the listener
        }
    }

    /** SIGTERM; what it says until its end is heard. Through the handle, as the process itself would close its streams. */
    public void terminate() {
        process.toHandle().destroy();
    }

    /** SIGKILL; what it has said before is heard. */
    public void kill() {
        process.toHandle().destroyForcibly();
    }

    /** Whether {@link #freeze()} works here. */
    public static boolean canFreeze() {
        return Signals.areAvailable();
    }

    /** SIGSTOP. */
    public void freeze() throws IOException {
        Signals.send("STOP", pid());
    }

    /** SIGCONT. */
    public void thaw() throws IOException {
        Signals.send("CONT", pid());
    }

    /** Waits for its end and for the last call of the listener; whether both came in time. */
    public boolean awaitEnd(Duration atMost) throws InterruptedException {
        long begin = System.nanoTime();
        if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            return false;
        }
        long left = atMost.toMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        reader.join(Math.max(1, left));
        return !reader.isAlive();
    }
}
