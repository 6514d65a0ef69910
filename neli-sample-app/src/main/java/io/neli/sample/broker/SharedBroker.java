package io.neli.sample.broker;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import io.neli.sample.broker.LockFile.Mode;
import org.jspecify.annotations.Nullable;

/** The broker as an instance sees it: joins the one that runs, or starts it. */
final class SharedBroker {

    private static final Duration BROKER_STOP = Duration.ofSeconds(30);
    private static final Duration BROKER_START = Duration.ofSeconds(60);

    /** By directory, the locks that keep a broker running until this process ends: the kernel releases them then. */
    private static final Map<Path, LockFile> uses = new HashMap<>();

    private SharedBroker() {}

    /**
     * Uses the broker in the directory from now on until this process ends.
     *
     * @return its bootstrap servers
     * @throws IOException if it cannot be had; the message says what to look at
     */
    static synchronized String join(BrokerDirectory directory) throws IOException, InterruptedException {
        if (uses.containsKey(directory.path())) { // a second application context in this process
            return findOrStart(directory);
        }
        LockFile use = LockFile.open(directory.usersLock());
        boolean joined = false;
        try {
            // Not to be had while a broker without users is on its way out.
            if (!use.tryLock(Mode.SHARED, BROKER_STOP)) {
                throw failed(directory, "is stopping, but has not ended within " + BROKER_STOP.toSeconds() + " s");
            }
            String address = findOrStart(directory);
            uses.put(directory.path(), use);
            joined = true;
            return address;
        } finally {
            if (!joined) {
                use.close();
            }
        }
    }

    private static String findOrStart(BrokerDirectory directory) throws IOException, InterruptedException {
        try (LockFile start = LockFile.open(directory.startLock())) {
            if (!start.tryLock(Mode.EXCLUSIVE, BROKER_START)) {
                throw failed(directory, "is being started by another instance for too long");
            }
            return awaitAddress(directory);
        }
    }

    private static String awaitAddress(BrokerDirectory directory) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        Process process = null;
        while (System.nanoTime() - begin < BROKER_START.toNanos()) {
            if (isRunning(directory)) { // perhaps started by an instance that was killed meanwhile
                Optional<String> address = directory.address();
                if (address.isPresent()) {
                    return address.get();
                }
            } else if (process == null) {
                process = start(directory);
            } else if (!process.isAlive()) {
                throw failed(directory, "ended with exit code " + process.exitValue());
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        destroy(process);
        throw failed(directory, "has not come up within " + BROKER_START.toSeconds() + " s");
    }

    /** A running broker has its lock from its first to its last moment. */
    private static boolean isRunning(BrokerDirectory directory) throws IOException {
        try (LockFile broker = LockFile.open(directory.brokerLock())) {
            return !broker.tryLock(Mode.EXCLUSIVE);
        }
    }

    /** Starts it at the address of one that was killed, if any, where instances may still be looking for it. */
    private static Process start(BrokerDirectory directory) throws IOException {
        String formerAddress = directory.address().orElse("");
        directory.forgetAddress();
        return new ProcessBuilder(BrokerProcess.command(directory, formerAddress))
                .redirectErrorStream(true)
                .redirectOutput(directory.log().toFile())
                .start();
    }

    private static void destroy(@Nullable Process process) {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private static IOException failed(BrokerDirectory directory, String what) {
        return new IOException("the broker " + what + "; its log is " + directory.log());
    }
}
