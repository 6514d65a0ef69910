package io.neli.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Creates {@link Link}s and forwards their data on one thread. */
public final class Network implements AutoCloseable {

    private static final int FIRST_PORT = 12_000;
    private static final int LAST_PORT = 31_999; // the kernel gives higher ones to outgoing connections

    private static final FileChannel PORTS = openPorts();
    private static final List<FileLock> GIVEN_PORTS = Collections.synchronizedList(new ArrayList<>());
    private static final long LIMIT_SECONDS = 120;
    private static final long LONGEST_SLEEP_MILLIS = 1_000;

    private final Selector selector;
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final List<Link> links = new ArrayList<>(); // used by that thread only
    private final Thread thread = new Thread(this::run, "network");
    private volatile boolean closed;

    public Network() {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Reserves a port for the life of this JVM, for all processes of this user. A server may open it later, and again
     * after a restart. The kernel never gives it to an outgoing connection, so clients that look for a broker that is
     * down cannot take it, not even by connecting to themselves.
     */
    public static int freePort() {
        return freePort(FIRST_PORT, LAST_PORT);
    }

    static int freePort(int first, int last) {
        for (int tries = 0; tries < 1000; tries++) {
            int port = ThreadLocalRandom.current().nextInt(first, last + 1);
            if (reserve(port) && isClosed(port)) {
                return port;
            }
        }
        throw new IllegalStateException("No port is free on the loopback interface");
    }

    private static FileChannel openPorts() {
        Path file = Path.of(System.getProperty("java.io.tmpdir"), "neli-ports-" + System.getProperty("user.name"));
        try {
            return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Locks the byte at this index in a file that all JVMs open. */
    private static boolean reserve(int port) {
        try {
            FileLock lock = PORTS.tryLock(port, 1, false);
            return lock != null && GIVEN_PORTS.add(lock);
        } catch (OverlappingFileLockException e) {
            return false; // reserved by this JVM
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isClosed(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    /** Creates a link to a port of this machine, which need not be open yet. */
    public Link link(int port) {
        Link link = new Link(this, freePort(), port);
        execute(() -> {
            link.listen();
            links.add(link);
        });
        return link;
    }

    Selector selector() {
        return selector;
    }

    /** Runs the command on the network's thread, and waits for it. */
    void execute(Runnable command) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        commands.add(() -> {
            try {
                command.run();
                done.complete(null);
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        selector.wakeup();
        done.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
    }

    private void run() {
        try {
            while (!closed) {
                forward();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            links.forEach(Link::disconnect);
        }
    }

    private void forward() throws IOException {
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
        }
        long now = System.nanoTime();
        long sleep = TimeUnit.MILLISECONDS.toNanos(LONGEST_SLEEP_MILLIS);
        for (Link link : links) {
            sleep = Math.min(sleep, link.forward(now));
        }
        selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(sleep)));
        for (SelectionKey key : selector.selectedKeys()) {
            ((Runnable) key.attachment()).run();
        }
        selector.selectedKeys().clear();
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
            selector.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
