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
 * One route of a client to a broker. It forwards everything until told otherwise; {@link #pass} heals it. Data that a
 * silent link holds back arrive when it is healed, because TCP would send them again.
 */
public final class Link {

    private static final String HOST = "127.0.0.1";

    private final Network network;
    private final int port;
    private final InetSocketAddress target;
    private final List<Connection> connections = new ArrayList<>();
    private @Nullable ServerSocketChannel server;
    private Passing passing = new Passing();

    /** What passes, and when. */
    static final class Passing {

        boolean toBroker = true;
        boolean toClient = true;
        boolean groupRequests = true;
        long delayNanos;
    }

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

    /** Restores the initial state: everything passes without delay. */
    public void pass() {
        network.execute(() -> {
            passing = new Passing();
            listen();
        });
    }

    /** Ends all connections and refuses new ones. */
    public void refuse() {
        network.execute(this::disconnect);
    }

    /** Keeps and accepts connections, but nothing arrives on them any more. */
    public void silence() {
        network.execute(() -> {
            passing.toBroker = false;
            passing.toClient = false;
        });
    }

    /** Like {@link #silence()}, in this direction only. */
    public void silenceToBroker() {
        network.execute(() -> passing.toBroker = false);
    }

    /** Like {@link #silence()}, in this direction only. */
    public void silenceToClient() {
        network.execute(() -> passing.toClient = false);
    }

    /** Delays everything by {@code delay}, in each direction. */
    public void delay(Duration delay) {
        network.execute(() -> passing.delayNanos = delay.toNanos());
    }

    /** Ends each connection on which a consumer group request appears. Topics can still be read and written. */
    public void cutCoordinator() {
        network.execute(() -> passing.groupRequests = false);
    }

    /** Ends all connections with a TCP reset; new ones are accepted. */
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
                network.selector().selectNow(); // releases the port
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
            // the client has disconnected, or the broker is down
        }
    }

    /** Forwards what is due. Returns the nanoseconds until more is due. */
    long forward(long now) {
        long next = Long.MAX_VALUE;
        for (Connection connection : connections) {
            next = Math.min(next, connection.forward(now, passing));
        }
        connections.removeIf(Connection::isClosed);
        return next;
    }
}
