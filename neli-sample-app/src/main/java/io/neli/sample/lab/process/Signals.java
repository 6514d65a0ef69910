package io.neli.sample.lab.process;

import java.io.File;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** The signals that Java has no call for, sent through {@code kill}. */
final class Signals {

    private static final boolean AVAILABLE = File.separatorChar == '/' && isOnPath("kill");

    private Signals() {}

    /** Whether a process can be frozen here. */
    static boolean areAvailable() {
        return AVAILABLE;
    }

    private static boolean isOnPath(String program) {
        String path = System.getenv("PATH");
        return path != null
                && Pattern.compile(Pattern.quote(File.pathSeparator))
                        .splitAsStream(path)
                        .anyMatch(directory -> new File(directory, program).canExecute());
    }

    /**
     * Sends one.
     *
     * @param name without SIG
     * @throws IOException if it was not sent: the process is not there any more
     */
    static void send(String name, long pid) throws IOException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!kill.waitFor(2, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                kill.destroyForcibly();
                throw new IOException("SIG" + name + " could not be sent to process " + pid);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while SIG" + name + " was sent", e);
        }
    }
}
