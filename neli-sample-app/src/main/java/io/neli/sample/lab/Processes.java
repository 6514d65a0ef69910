package io.neli.sample.lab;

import java.io.IOException;
import java.util.List;

import io.neli.sample.lab.process.ChildProcess;
import io.neli.sample.lab.process.JavaCommand;
import io.neli.sample.lab.process.LabDirectory;
import io.neli.sample.lab.process.Reaper;

/** Starts processes whose words and ends are stamped when they are noticed, and heard on the lab's thread. */
final class Processes {

    /** Called on the lab's thread. */
    interface Listener {

        void printed(String line, long at);

        void exited(int code, long at);
    }

    private final LabDirectory directory;
    private final Reaper reaper;
    private final LabClock clock;
    private final LabThread thread;

    Processes(LabDirectory directory, Reaper reaper, LabClock clock, LabThread thread) {
        this.directory = directory;
        this.reaper = reaper;
        this.clock = clock;
        this.thread = thread;
    }

    LabDirectory directory() {
        return directory;
    }

    /**
     * Starts a process of this program that goes with the lab.
     *
     * @param heap as in {@code -Xmx}
     * @throws IOException if it cannot be started
     */
    ChildProcess start(
            String name, String heap, List<String> options, String main, List<String> arguments, Listener listener)
            throws IOException {
        List<String> command = JavaCommand.of(directory, heap, options, main, arguments.toArray(String[]::new));
        return reaper.start(name, command, directory, new ChildProcess.Listener() {
            @Override
            public void printed(String line) {
                long at = clock.now();
                thread.execute(() -> listener.printed(line, at));
            }

            @Override
            public void exited(int code) {
                long at = clock.now();
                thread.execute(() -> listener.exited(code, at));
            }
        });
    }
}
