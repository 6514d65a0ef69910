package io.neli.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** All {@link Link}s of a test, forwarded by one thread. */
public final class Network implements AutoCloseable {

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

    /** A port of this machine that leads to another one, which need not be open yet. */
    public Link link(int port) {
        Link link = new Link(this, BrokerProcess.freePort(), port);
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
