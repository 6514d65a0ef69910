package io.neli.sample.lab.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.neli.harness.ChildProcess;
import org.jspecify.annotations.Nullable;

/**
 * Cleans up after the lab, however that ends, even by a SIGKILL: it kills the processes that are left, also a frozen
 * one, which cannot notice the end by itself, and deletes the directory. It is a shell that waits for the end of its
 * standard input, a line of which has the ids of all present processes. Where there is no such shell, on Windows, the
 * processes end with their standard input, and the directory stays.
 */
public final class CleanupProcess {

    private static final String SCRIPT =
            """
            trap '' INT HUP TERM
            while read -r line; do pids=$line; done
            [ -z "$pids" ] || kill -KILL $pids
            for try in 1 2 3 4 5; do rm -rf "$0" && exit; sleep 1; done
            """;

    private final List<ChildProcess> children = new ArrayList<>();
    private final @Nullable ChildProcess shell;

    private CleanupProcess(@Nullable ChildProcess shell) {
        this.shell = shell;
    }

    public static CleanupProcess start(LabDirectory directory) throws IOException {
        if (!ChildProcess.canStop()) {
            return new CleanupProcess(null);
        }
        return new CleanupProcess(new ChildProcess(new ProcessBuilder(command(directory)), directory.log("cleanup")));
    }

    static List<String> command(LabDirectory directory) {
        return List.of("sh", "-c", SCRIPT, directory.path().toString());
    }

    synchronized void add(ChildProcess child) {
        children.add(child);
        update();
        var unused = child.io().onExit().thenRun(this::update);
    }

    /** So that the id of a process that has ended is not used: it could be that of another process by then. */
    private synchronized void update() {
        children.removeIf(child -> !child.isAlive());
        if (shell != null) {
            shell.say(children.stream().map(child -> Long.toString(child.pid())).collect(Collectors.joining(" ")));
        }
    }
}
