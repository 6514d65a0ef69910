package io.neli.sample.broker;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of a broker. It is given its {@code server.properties}, prints {@link #UP} on standard output when clients can
 * connect, and logs on standard error. It ends after a SIGTERM, and with the process that holds its standard input.
 */
public final class BrokerMain {

    /** The line that says that it is up. */
    public static final String UP = "up";

    private static final Logger log = LoggerFactory.getLogger(BrokerMain.class);

    private BrokerMain() {}

    public static void main(String[] args) {
        try {
            IgnoredSignals.ignore("INT", "HUP"); // the lab tells when it is time
            daemon("parent", BrokerMain::endWithParent);
            Broker broker = Broker.open(Path.of(args[0]));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(broker), "stop"));
            broker.start();
            System.out.println(UP);
            broker.awaitStop();
        } catch (Throwable e) {
            log.error("The broker has failed", e);
            Runtime.getRuntime().halt(1); // threads of a broker that is half up would keep the process
        }
    }

    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {
                // nothing is ever said
            }
        } catch (IOException e) {
            // it has gone
        }
        System.exit(0);
    }

    private static void stop(Broker broker) {
        daemon("halt-when-late", BrokerMain::haltWhenLate);
        broker.stop();
    }

    private static void haltWhenLate() {
        try {
            TimeUnit.SECONDS.sleep(10);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(2);
    }

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
