package io.neli.sample.broker;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import io.neli.sample.broker.LockFile.Mode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process of the broker: runs it for as long as it has users. */
final class BrokerProcess {

    private static final Logger log = LoggerFactory.getLogger(BrokerProcess.class);

    private static final String JAR_LAUNCHER = "org.springframework.boot.loader.launch.PropertiesLauncher";

    private final BrokerDirectory directory;

    /** Never closed: the kernel releases them after everything else. */
    private final LockFile running;

    private final LockFile users;

    private BrokerProcess(BrokerDirectory directory) throws IOException {
        this.directory = directory;
        this.running = LockFile.open(directory.brokerLock());
        this.users = LockFile.open(directory.usersLock());
    }

    /** The command that starts it, on the class path of this process. */
    static List<String> command(BrokerDirectory directory, String formerAddress) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // It has little to do, and should be up soon.
        command.addAll(List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
        command.add("-Dlogback.configurationFile=logback-broker.xml");
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        if (runsFromBootJar()) {
            command.add("-Dloader.main=" + BrokerProcess.class.getName());
            command.add(JAR_LAUNCHER);
        } else {
            command.add(BrokerProcess.class.getName());
        }
        command.addAll(List.of(directory.path().toString(), formerAddress));
        return command;
    }

    /** In the repackaged jar the classes are in jars within the jar, which only Boot's own loader reads. */
    private static boolean runsFromBootJar() {
        return ClassLoader.getSystemClassLoader().getResource(JAR_LAUNCHER.replace('.', '/') + ".class") != null;
    }

    public static void main(String[] args) {
        try {
            ignoreTerminal();
            new BrokerProcess(BrokerDirectory.open(args[0])).run(args[1]);
        } catch (Throwable e) {
            log.error("The broker has failed", e);
            Runtime.getRuntime().halt(1); // threads of a broker that is half up would keep the process
        }
    }

    private void run(String formerAddress) throws Exception {
        // An instance that looks whether a broker is running has this lock for a moment.
        if (!running.tryLock(Mode.EXCLUSIVE, Duration.ofSeconds(1))) {
            log.info("Another broker is running");
            return;
        }
        Thread lastUser = new Thread(this::endAfterLastUser, "last-user");
        lastUser.setDaemon(true);
        lastUser.start();

        Path data = directory.newDataDirectory();
        Broker broker = Broker.format(data, formerAddress);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(broker, data), "stop"));
        broker.start();
        directory.announce(broker.address());
        log.info("The broker is up at {}", broker.address());
        broker.awaitStop();
    }

    /**
     * Waits until no instance has the lock and ends the process with the lock in hand, so that an instance that comes now
     * waits for the end instead of using a broker that is stopping.
     */
    private void endAfterLastUser() {
        try {
            while (!users.tryLock(Mode.EXCLUSIVE)) {
                TimeUnit.SECONDS.sleep(1);
            }
            log.info("The last instance has gone");
        } catch (IOException | InterruptedException e) {
            log.error("Cannot tell whether there are users: stopping", e);
        }
        System.exit(0);
    }

    /** In the shutdown hook, so after a SIGTERM too; the data are for one run, so nothing is lost if it takes too long. */
    private void stop(Broker broker, Path data) {
        Thread inTime = new Thread(BrokerProcess::haltWhenLate, "halt-when-late");
        inTime.setDaemon(true);
        inTime.start();
        try {
            directory.forgetAddress();
        } catch (IOException e) {
            log.warn("Cannot delete the address", e); // which goes for nothing once the lock is released
        }
        broker.stop();
        BrokerDirectory.deleteData(data);
        log.info("The broker has ended");
    }

    private static void haltWhenLate() {
        try {
            TimeUnit.SECONDS.sleep(10);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(2);
    }

    /**
     * Ctrl-C and the closing of the terminal in which the first instance was started are not meant for the broker, which
     * others may use. The class is not part of Java SE, so a JDK may be without it: then the broker ends with that terminal.
     */
    private static void ignoreTerminal() {
        for (String name : List.of("INT", "HUP")) {
            try {
                Class<?> signal = Class.forName("sun.misc.Signal");
                Class<?> handler = Class.forName("sun.misc.SignalHandler");
                Object ignore = Proxy.newProxyInstance(
                        handler.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> null);
                signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), ignore);
            } catch (ReflectiveOperationException e) {
                log.info("Cannot ignore {}: {}", name.toLowerCase(Locale.ROOT), e.toString()); // no HUP on Windows
            }
        }
    }
}
