package io.neli.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** {@link Link}s, forwarded by one thread. */
public final class Network implements AutoCloseable {

    /** The number of this fork of the build, also in the processes that it starts; 0 outside of a build. */
    public static final int FORK = Integer.decode(System.getenv().getOrDefault("TEST_FORK", "0"));

    private static final int FIRST_PORT = 12_000;
    private static final int PORTS_PER_FORK = 4_000;
    private static final int MOST_FORKS = 5;

    private static final Set<Integer> GIVEN_PORTS = ConcurrentHashMap.newKeySet();
    private static final long LIMIT_SECONDS = 120;
    private static final long LONGEST_SLEEP_MILLIS = 1_000;

    private final Selector selector;
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final List<Link> links = new ArrayList<>(); // only that thread's
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
     * A port below those that the kernel gives to outgoing connections: clients that look for a broker that is down
     * might get its port otherwise, even as both ends of one connection. JVMs that run tests at the same time have
     * ports of their own, or one might give away what another has given and not opened yet.
     */
    public static int freePort() {
        return freePort(FORK);
    }

    static int freePort(int fork) {
        int first = FIRST_PORT + fork % MOST_FORKS * PORTS_PER_FORK;
        for (int tries = 0; tries < 1000; tries++) {
            int port = ThreadLocalRandom.current().nextInt(first, first + PORTS_PER_FORK);
            if (!GIVEN_PORTS.add(port)) {
                continue; // perhaps not in use yet
            }
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // in use
            }
        }
        throw new IllegalStateException("No port is free on the loopback interface");
    }

    /** A port of this machine that leads to another one, which need not be open yet. */
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

    /** Returns once the network's thread has done that. */
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
