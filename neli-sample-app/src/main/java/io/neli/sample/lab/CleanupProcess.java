package io.neli.sample.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.neli.harness.ChildProcess;
import org.jspecify.annotations.Nullable;

/**
 * Cleans up after the lab, however it ends, even by a SIGKILL. Kills the processes that are left, even frozen ones,
 * which cannot notice the end themselves, and deletes the directory. It is a shell that waits for the end of its
 * standard input; each line there lists the ids of the current processes. On Windows, which has no such shell, the
 * processes end with their standard input, and the directory remains.
 */
final class CleanupProcess {

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

    static CleanupProcess start(Path directory) throws IOException {
        if (!ChildProcess.canStop()) {
            return new CleanupProcess(null);
        }
        return new CleanupProcess(
                new ChildProcess(new ProcessBuilder(command(directory)), directory.resolve("cleanup.log")));
    }

    static List<String> command(Path directory) {
        return List.of("sh", "-c", SCRIPT, directory.toString());
    }

    synchronized void add(ChildProcess child) {
        children.add(child);
        update();
        var unused = child.io().onExit().thenRun(this::update);
    }

    /** Removes ids of ended processes, because another process may get the same id. */
    private synchronized void update() {
        children.removeIf(child -> !child.isAlive());
        if (shell != null) {
            shell.say(children.stream().map(child -> Long.toString(child.pid())).collect(Collectors.joining(" ")));
        }
    }
}
