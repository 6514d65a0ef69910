package io.neli.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One route of a client to a broker. It passes everything on until it is told otherwise; {@link #pass} heals it. What a
 * silent link holds back arrives when it is healed, as TCP would send it again.
 */
public final class Link {

    private static final String HOST = "127.0.0.1";

    private final Network network;
    private final int port;
    private final InetSocketAddress target;
    private final List<Connection> connections = new ArrayList<>();
    private @Nullable ServerSocketChannel server;
    private boolean toBroker = true;
    private boolean toClient = true;
    private boolean coordinator = true;
    private long delayNanos;

    Link(Network network, int port, int targetPort) {
        this.network = network;
        this.port = port;
        this.target = new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort);
    }

    public int port() {
        return port;
    }

    public String address() {
        return HOST + ":" + port;
    }

    /** As in the beginning. */
    public void pass() {
        network.execute(() -> {
            toBroker = true;
            toClient = true;
            coordinator = true;
            delayNanos = 0;
            listen();
        });
    }

    /** Ends all connections and refuses new ones. */
    public void refuse() {
        network.execute(this::disconnect);
    }

    /** Keeps and accepts connections on which nothing arrives any more. */
    public void silence() {
        silence(true, true);
    }

    /** The same in the given directions only. */
    public void silence(boolean towardsBroker, boolean towardsClient) {
        network.execute(() -> {
            toBroker = !towardsBroker;
            toClient = !towardsClient;
        });
    }

    /** Everything arrives later by that much, in each direction. */
    public void delay(Duration delay) {
        network.execute(() -> delayNanos = delay.toNanos());
    }

    /** Ends each connection on which a request of a consumer group appears. Reading and writing topics goes on. */
    public void cutCoordinator() {
        network.execute(() -> coordinator = false);
    }

    /** Ends all connections by TCP's reset; new ones are accepted. */
    public void reset() {
        network.execute(this::endConnections);
    }

    void listen() {
        if (server != null) {
            return;
        }
        try {
            ServerSocketChannel channel = ServerSocketChannel.open();
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.configureBlocking(false);
            channel.register(network.selector(), SelectionKey.OP_ACCEPT, (Runnable) () -> accept(channel));
            server = channel;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void disconnect() {
        endConnections();
        if (server != null) {
            try {
                server.close();
                network.selector().selectNow(); // lets go of the port
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            server = null;
        }
    }

    private void endConnections() {
        connections.forEach(Connection::reset);
        connections.clear();
    }

    private void accept(ServerSocketChannel from) {
        try {
            SocketChannel client = from.accept();
            if (client != null) {
                connections.add(new Connection(network.selector(), client, target));
            }
        } catch (IOException e) {
            // it has gone again, or the broker has
        }
    }

    /** Forwards what is due; returns in how many nanoseconds more will be. */
    long forward(long now) {
        long next = Long.MAX_VALUE;
        for (Connection connection : connections) {
            next = Math.min(next, connection.forward(now, delayNanos, toBroker, toClient, coordinator));
        }
        connections.removeIf(Connection::isClosed);
        return next;
    }
}
