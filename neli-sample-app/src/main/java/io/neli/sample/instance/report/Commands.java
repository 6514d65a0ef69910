package io.neli.sample.instance.report;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.neli.Neli;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes commands from the standard input. When it ends, the lab has ended. */
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
        try {
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals("resign")) {
                    neli.resign(COOLDOWN);
                } else {
                    log.warn("Unknown command '{}': the only one is 'resign'", line);
                }
            }
        } catch (IOException e) {
            log.warn("The standard input cannot be read", e);
        }
        log.info("The standard input has ended, and so does this instance");
        atEnd.run();
    }
}
