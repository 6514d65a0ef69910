package io.neli.sample.instance.report;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Scanner;

import io.neli.Neli;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes commands from the standard input; the only one is {@code resign}. When it ends, the lab has ended. */
final class Commands {

    private static final Logger log = LoggerFactory.getLogger(Commands.class);
    private static final Duration COOLDOWN = Duration.ofSeconds(10);

    private final InputStream in;
    private final Neli neli;
    private final Runnable atEnd;

    Commands(InputStream in, Neli neli, Runnable atEnd) {
        this.in = in;
        this.neli = neli;
        this.atEnd = atEnd;
    }

    /** Reads on a daemon thread, because waiting for a line cannot be interrupted. */
    void start() {
        Thread thread = new Thread(this::run, "commands");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        Scanner lines = new Scanner(in, StandardCharsets.UTF_8);
        while (lines.hasNextLine()) {
            if (lines.nextLine().equals("resign")) {
                neli.resign(COOLDOWN);
            }
        }
        log.info("The standard input has ended, and so does this instance");
        atEnd.run();
    }
}
