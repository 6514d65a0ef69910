package io.neli.sample.lab.process;

import java.io.IOException;
import java.util.List;

/**
 * Sees to it that nothing is left of the lab, however it ends. It is a small process of its own, so that it can do so after
 * a SIGKILL of the lab, too: then it kills every process that is still there, also one that is frozen and so does not
 * notice, and deletes the directory. After an orderly end only the directory is left to it.
 */
public final class Reaper {

    private final ChildProcess process;

    private Reaper(ChildProcess process) {
        this.process = process;
    }

    public static Reaper start(LabDirectory directory) throws IOException {
        List<String> command = JavaCommand.of(
                directory,
                "32m",
                List.of(),
                ReaperMain.class.getName(),
                directory.path().toString());
        return new Reaper(ChildProcess.start("reaper", command, directory.log("reaper"), new ChildProcess.Listener() {
            @Override
            public void printed(String line) {}

            @Override
            public void exited(int code) {}
        }));
    }

    /** From now on, that process goes with the lab. */
    void adopt(ChildProcess child) {
        process.tell(Long.toString(child.pid()));
    }

    /** Starts a process that goes with the lab. */
    public ChildProcess start(String name, List<String> command, LabDirectory directory, ChildProcess.Listener listener)
            throws IOException {
        ChildProcess child = ChildProcess.start(name, command, directory.log(name), listener);
        adopt(child);
        return child;
    }
}
