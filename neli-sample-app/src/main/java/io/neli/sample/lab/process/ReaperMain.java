package io.neli.sample.lab.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.neli.sample.broker.IgnoredSignals;

/** The {@link Reaper}'s process: reads the ids of processes until its standard input ends. */
final class ReaperMain {

    /** Printed when no signal ends it any more. */
    static final String READY = "ready";

    private ReaperMain() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        IgnoredSignals.ignore("INT", "HUP", "TERM"); // its work begins when the others have ended
        System.out.println(READY);
        // A handle knows when its process was started, so it never stands for another one with the same id.
        List<ProcessHandle> processes = new ArrayList<>();
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String id = input.readLine(); id != null; id = input.readLine()) {
                processes.removeIf(process -> !process.isAlive());
                ProcessHandle.of(Long.parseLong(id)).ifPresent(processes::add);
            }
        }
        processes.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle process : processes) {
            awaitEnd(process);
        }
        new LabDirectory(Path.of(args[0])).delete();
    }

    private static void awaitEnd(ProcessHandle process) throws InterruptedException {
        try {
            process.onExit().get(10, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // what it has open may keep its files; the others go
        }
    }
}
