package io.neli.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.function.Consumer;

/** Hands on what a process writes to its standard output, line by line, until it ends. */
public final class OutputReader extends Thread {

    private final JavaProcess process;
    private final Consumer<String> lines;

    public OutputReader(JavaProcess process, Consumer<String> lines) {
        super("output-" + process.io().pid());
        this.process = process;
        this.lines = lines;
        setDaemon(true);
    }

    @Override
    public void run() {
        try (BufferedReader reader = process.io().inputReader()) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.accept(line);
            }
        } catch (IOException e) {
            // it has been killed
        }
    }
}
