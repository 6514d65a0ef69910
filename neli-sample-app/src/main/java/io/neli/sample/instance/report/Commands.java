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

/**
 * Does what the lines of the standard input say, until its end: then the lab has gone. Nothing ends the wait for a line but
 * the end of the process, so that the thread is a daemon that nobody joins.
 */
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

    void start() {
        Thread thread = new Thread(this::run, "commands");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                obey(line);
            }
        } catch (IOException e) {
            log.warn("The standard input cannot be read", e);
        }
        log.info("The standard input has ended, and so does this instance");
        atEnd.run();
    }

    private void obey(String command) {
        if (command.equals("resign")) {
            neli.resign(COOLDOWN);
        } else {
            log.warn("The command is '{}': there is none but 'resign'", command);
        }
    }
}
